// Whole tasks over small repositories laid out as real ones are, with a model that behaves as real ones do.
import { expect, test } from "vitest";
import { smallRepositories } from "./repositories/list.ts";
import { play } from "./repositories/play.ts";

for (const repository of smallRepositories) {
  const lacks = repository.lacks();
  test.skipIf(lacks !== undefined)(
    `${repository.name}: merged, without a question beyond plan and result${lacks === undefined ? "" : ` (skipped: ${lacks})`}`,
    async () => {
      const { merged, questions, amendments, told } = await play(repository);
      expect({ merged, questions, amendments }, told).toEqual({ merged: true, questions: 0, amendments: 0 });
    },
  );
}
