/** Numbers from 1 to 3999 as the Romans wrote them. */
public final class Roman {
    private static final int[] VALUES = {1000, 500, 100, 50, 10, 5, 1};
    private static final String[] SIGNS = {"M", "D", "C", "L", "X", "V", "I"};

    private Roman() {}

    public static String of(int number) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < VALUES.length; at++) {
            for (; number >= VALUES[at]; number -= VALUES[at]) text.append(SIGNS[at]);
        }
        return text.toString();
    }
}
