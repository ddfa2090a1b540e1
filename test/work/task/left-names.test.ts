import { expect, test } from "vitest";
import { namesLeft } from "../../../src/work/task/checks/left-names.ts";
import { piecesOf } from "../../../src/work/task/proof/pieces.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { makeScene } from "../../scenarios/scene.ts";

test("a name that is taken away and still stands elsewhere is named; one that was moved, or stands in documents only, is not", async () => {
  const files = {
    "log/readings.py":
      "def mean_level(all):\n    return 1\n\n\ndef moved_one():\n    return 2\n\n\ndef only_told():\n    return 3\n",
    "log/cli.py": "from log import readings\nprint(readings.mean_level([]))\n",
    "README.md": "mean_level, only_told\n",
  };
  await using scene = await makeScene(() => ({ say: "" }), { git: true, files });
  const base = scene.git("rev-parse", "HEAD").trim();
  scene.put("log/readings.py", "def average_level(all):\n    return 1\n");
  scene.put("log/other.py", "def moved_one():\n    return 2\n");
  scene.put("log/user.py", "import other\nother.moved_one()\n");
  scene.git("add", ".");
  scene.git("commit", "-qm", "Rename it");
  const repository = new Repository(scene.at("."));
  const diff = await repository.diff(base, scene.git("rev-parse", "HEAD").trim());
  expect(await namesLeft(repository, diff.files.flatMap(piecesOf))).toEqual(["mean_level: log/cli.py"]);
});
