// Which command some words stand for: by the words that each is about, in English and German, and by nothing else.
const routes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:undo|revert|take back|rückgängig|zurücknehmen)\b.*\bphase\b/i, "fettle project undo --phase PHASE"],
  [/\b(?:undo|revert|take back|rückgängig|zurücknehmen)\b.*\bplan\b/i, "fettle project undo --plan PLAN"],
  [/\b(?:undo|revert|take back|rückgängig|zurücknehmen)\b/i, "fettle project undo --last 1"],
  [/\b(?:pause|stop for today|hand ?over|pausier\w*|übergabe)\b/i, "fettle project pause"],
  [/\b(?:resume|continue|go on|weiter\w*)\b/i, "fettle project resume"],
  [/\b(?:where (?:are|do) we|progress|status|stand)\b/i, "fettle project status"],
  [/\b(?:what(?:'s| is| comes)? next|next step|nächste\w*)\b/i, "fettle project next"],
  [/\b(?:new project|start a project|neues projekt)\b/i, "fettle project new"],
  [/\b(?:discuss|grey areas?|gray areas?|besprech\w*)\b/i, "fettle project discuss"],
  [/\b(?:research|recherch\w*)\b/i, "fettle project research"],
  [/\b(?:ship|pull request|open a pr|ausliefern)\b/i, "fettle project ship PHASE"],
  [/\b(?:backlog|some ?day|irgendwann)\b/i, "fettle project backlog add TEXT"],
  [/\b(?:todo|remind)\b/i, "fettle project todos add TEXT"],
  [/\b(?:note|notiz)\b/i, "fettle project note TEXT"],
  [/\b(?:add|insert) (?:a |an )?phase\b/i, "fettle project phases add NAME"],
  [/\b(?:acceptance|uat|test by hand|abnahme)\b/i, "fettle project verify-work"],
  [/\b(?:verify|check the work|verifizier\w*|prüfe)\b/i, "fettle project verify PHASE"],
  [/\b(?:execute|carry out|build phase|ausführen)\b/i, "fettle project execute PHASE"],
  [/\b(?:plan|planen)\b/i, "fettle project plan"],
  [/\b(?:map|understand|explore) (?:the |this )?(?:code|repository|codebase)\b/i, "fettle project map"],
  [/\b(?:broken|damaged|repair|kaputt|reparier\w*)\b/i, "fettle project health --repair"],
  [/\b(?:went wrong|post-?mortem|forensic\w*|schief)\b/i, "fettle project forensics"],
  [/\b(?:report|bericht)\b/i, "fettle project session-report"],
  [/\b(?:settings?|config\w*|einstellung\w*)\b/i, "fettle project settings"],
  [/\b(?:clean ?up|archive|aufräumen)\b/i, "fettle project cleanup"],
  [/\b(?:fix|typo|rename|behebe|korrigier\w*)\b/i, "fettle project fast TEXT"],
  [/\b(?:add|implement|build|change|write|baue|füge)\b/i, "fettle project quick TEXT"],
];

/** The first that fits; undefined for words that none is about. */
export const commandFor = (text: string): string | undefined => routes.find(([about]) => about.test(text))?.[1];
