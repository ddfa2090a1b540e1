import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Runs the methods that are called test in the classes that end in Test, and reports in TAP. */
public final class Tests {
    public static void same(Object wanted, Object found) {
        if (!wanted.equals(found)) throw new AssertionError("expected " + wanted + " and found " + found);
    }

    public static void main(String[] args) throws Exception {
        File[] files = new File(args[0]).listFiles((folder, name) -> name.endsWith("Test.class"));
        Arrays.sort(files);
        int count = 0;
        boolean failed = false;
        System.out.println("TAP version 13");
        for (File file : files) {
            Method[] methods = Class.forName(file.getName().replace(".class", "")).getMethods();
            Arrays.sort(methods, (left, right) -> left.getName().compareTo(right.getName()));
            for (Method method : methods) {
                if (!method.getName().startsWith("test")) continue;
                count++;
                String name = count + " - " + method.getDeclaringClass().getName() + "." + method.getName();
                try {
                    method.invoke(null);
                    System.out.println("ok " + name);
                } catch (InvocationTargetException thrown) {
                    failed = true;
                    Throwable cause = thrown.getCause();
                    System.out.println("not ok " + name + "\n  ---\n  name: " + cause.getClass().getSimpleName());
                    System.out.println("  message: '" + cause.getMessage() + "'\n  ...");
                }
            }
        }
        System.out.println("1.." + count);
        System.exit(failed ? 1 : 0);
    }
}
