public final class RomanTest {
    public static void testFourIsOneBeforeFive() {
        Tests.same("IV", Roman.of(4));
        Tests.same("XC", Roman.of(90));
    }

    public static void testSignsAreAdded() {
        Tests.same("MDCLXVI", Roman.of(1666));
    }
}
