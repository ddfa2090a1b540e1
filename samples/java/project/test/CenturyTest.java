public final class CenturyTest {
    public static void testTheYear2000IsOfTheTwentieth() {
        Tests.same(20, Century.of(2000));
        Tests.same(21, Century.of(2001));
    }
}
