// What .planning/config.json says of the models of agents.
import { kindsOfWork, type ModelSettings } from "../agents/profiles.ts";
import { settingsOf } from "../facts/settings.ts";

export interface AgentSettings {
  models: ModelSettings;
  /** `response_language`; empty: the model's own choice. */
  language: string;
}

export function modelSettings(config: string | undefined): AgentSettings {
  const { read, groups } = settingsOf(config);
  const within = (prefix: string) =>
    new Map([...groups].flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])));
  const kinds = new Map([...within("models.")].filter(([kind]) => (kindsOfWork as readonly string[]).includes(kind)));
  return {
    models: {
      ...{ profile: read.model_profile, overrides: within("model_overrides."), kinds },
      dynamic: read["dynamic_routing.enabled"],
    },
    language: read.response_language,
  };
}
