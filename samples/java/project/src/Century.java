/** The century that a year is in. */
public final class Century {
    private Century() {}

    public static int of(int year) {
        return (year + 99) / 100;
    }
}
