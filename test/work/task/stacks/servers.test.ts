import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { healthPlan, healthStep, portIn, portOf, serverOf } from "../../../../src/work/task/checks/servers.ts";

describe("commands that stay", () => {
  test.each<[string, number, "flag" | "default"]>([
    ["flask run", 5000, "default"],
    ["FLASK_APP=a python3 -m flask --debug run -p 5001", 5001, "flag"],
    ["uvicorn app:app", 8000, "default"],
    ["uvicorn app:app --port 9000", 9000, "flag"],
    ["gunicorn -b 0.0.0.0:8080 app:app", 8080, "flag"],
    ["python manage.py runserver", 8000, "default"],
    ["python manage.py runserver 0.0.0.0:8123", 8123, "flag"],
    ["python3 -m http.server", 8000, "default"],
    ["python3 -m http.server 8181", 8181, "flag"],
    ["streamlit run app.py", 8501, "default"],
    ["npx vite", 5173, "default"],
    ["npx vite --port=4000", 4000, "flag"],
    ["ng serve", 4200, "default"],
    ["next dev", 3000, "default"],
    ["npm start", 3000, "default"],
    ["PORT=8088 npm start", 8088, "flag"],
    ["./mvnw spring-boot:run", 8080, "default"],
    ["java -Dserver.port=9090 -jar x.jar & ./gradlew bootRun -Dserver.port=9090", 9090, "flag"],
    ["docker run --rm -p 8080:80 nginx", 8080, "flag"],
    ["docker compose up", 0, "default"],
    ["node server.js", 3000, "default"],
    ["cd web && npm run dev -- --port 7000", 7000, "flag"],
  ])("%s", (command, port, by) => expect(serverOf(command)).toEqual({ port, by }));

  test.each([
    "npm test",
    "npm run build",
    "vite build",
    "next build",
    "vitest run",
    "npx vitest",
    "flask db upgrade",
    "docker compose up -d",
    "docker build .",
    "mvn -q test",
    "cargo run",
    "python3 app.py",
    "uvicorn --version",
    "python manage.py migrate",
    "npm install express",
  ])("%s ends by itself", (command) => expect(serverOf(command)).toBeUndefined());

  test("a script is what it runs", () => {
    const look = {
      files: ["package.json", "web/package.json"],
      known: new Map([
        [
          "package.json",
          '{"scripts":{"start":"npm run serve","serve":"vite preview --port 4555","once":"node x.js","dev":"npm run dev"}}',
        ],
        ["web/package.json", '{"scripts":{"dev":"next dev"}}'],
      ]),
    };
    expect(serverOf("npm start", look)).toEqual({ port: 4555, by: "flag" });
    expect(serverOf("cd web && npm run dev", look)).toEqual({ port: 3000, by: "default" });
    expect(serverOf("npm run once", look)).toBeUndefined();
    // A script that runs itself comes to an end here.
    expect(serverOf("npm run dev", look)).toEqual({ port: 3000, by: "default" });
  });

  test("ports that cannot be are none", () => {
    expect(portOf("x --port 99999")).toBeUndefined();
    expect(portOf("sleep 30")).toBeUndefined();
  });
});

test("the port that a process tells is known from its output", () => {
  expect(portIn("  ➜  Local:   http://localhost:5174/\n")).toBe(5174);
  expect(portIn("Port 3000 is in use, trying another one\nServer listening on port 3001")).toBe(3001);
  expect(portIn(" * Running on http://127.0.0.1:5000")).toBe(5000);
  expect(portIn("compiled in 3000 ms")).toBeUndefined();
});

describe("health", () => {
  test("three looks at least, two seconds apart, longer while it lives", () => {
    let [sinceMs, looks] = [healthPlan.settleMs, 0];
    for (;;) {
      looks += 1;
      const step = healthStep({ looks, sinceMs, alive: true, answered: false });
      if (step.kind !== "wait") {
        expect(step).toEqual({ kind: "down", why: "nothing answered within 30 s" });
        break;
      }
      expect(step.ms).toBeLessThanOrEqual(2000);
      sinceMs += step.ms;
    }
    expect(looks).toBeGreaterThanOrEqual(healthPlan.tries);
    expect(sinceMs).toBe(healthPlan.mostMs);
  });
  test("one that crashed is down, also when another answers at its port", () => {
    expect(healthStep({ looks: 1, sinceMs: 3000, alive: false, answered: true }).kind).toBe("down");
    expect(healthStep({ looks: 1, sinceMs: 3000, alive: true, answered: true })).toEqual({ kind: "up" });
  });
  test("it always comes to an end", () => {
    const plan = fc.record({
      settleMs: fc.nat(5000),
      tries: fc.integer({ min: 1, max: 9 }),
      everyMs: fc.integer({ min: 1, max: 5000 }),
      mostMs: fc.nat(60_000),
    });
    fc.assert(
      fc.property(plan, (given) => {
        let sinceMs = given.settleMs;
        for (let looks = 1; looks < 70_000; looks += 1) {
          const step = healthStep({ looks, sinceMs, alive: true, answered: false }, given);
          if (step.kind === "down") return looks >= given.tries;
          if (step.kind === "up") return false;
          sinceMs += step.ms;
        }
        return false;
      }),
      { numRuns: 60 },
    );
  });
});
