// English words of each concept. `_` joins the words of a phrase. Written from the language, not from samples.
import type { Concept } from "./concepts.ts";

export type Lexicon = Partial<Record<Concept, string>>;

export const english: Lexicon = {
  override:
    "ignore ignores ignoring ignored disregard disregards disregarding disregarded forget forgets forgetting override overrides overriding overrule bypass bypassing circumvent discard neglect dismiss abandon supersede supersedes superseded nullify void invalidate outdated obsolete unlearn set_aside never_mind no_longer throw_away cancel abort instead_of cease halt stop drop skip replace replaced replaces",
  prior:
    "previous previously prior above earlier preceding foregoing existing original initial initially former past beginning everything anything before hitherto old current all",
  instruction:
    "instruction instructions directive directives guideline guidelines rule rules constraint constraints restriction restrictions policy policies training programming mandate mandates order orders command commands protocol protocols prompts",
  task: "task tasks goal goals objective objectives mission assignment request requests job question query workflow step steps requirement requirements duty purpose",
  ai: "assistant assistants ai ais llm llms agent agents agentic chatbot chatbots bot bots gpt chatgpt claude gemini copilot cursor windsurf cline codex grok bard llama mistral qwen deepseek language_model language_models virtual_assistant automated crawler crawlers openai anthropic gpt-4 gpt4 gpt-5 gpt5 scraper summarizer summariser",
  you: "you your yours yourself you're you've you'll you'd u ur",
  user: "user users user's human humans person operator customer owner client anyone anybody them him",
  stealth:
    "silently quietly secretly covertly discreetly stealthily surreptitiously invisibly unnoticed undetected hide hidden conceal concealed secret_from keep_this between_us without_telling without_informing without_notifying without_mentioning without_alerting behind unobtrusively privately pretend_nothing keep_quiet omit",
  tell: "tell tells telling told mention mentions mentioning inform informing notify notifying disclose disclosing alert acknowledge report reporting explain explaining say announce indicate discuss",
  not: "not don't dont never without no avoid cannot can't won't refrain nothing nobody neither nor doesn't shouldn't mustn't",
  send: "send sends sending sent forward forwards forwarding email emails emailing mail upload uploads uploading post posts posting transmit transmits exfiltrate exfiltrating share sharing submit submits leak leaks publish dm deliver copy bcc cc attach paste ping dispatch beacon sync pass passes relay export push pushes webhook webhooks",
  secret:
    "password passwords passcode credential credentials secret secrets token tokens api_key api_keys apikey private_key private_keys ssh_key ssh_keys key keys confidential sensitive cookie cookies id_rsa ssn social_security credit_card card_number pin seed_phrase passphrase personal pii authorized_keys keychain dotenv aws_secret login logins",
  data: "data content contents file files history conversation conversations chat chats messages documents inbox contacts database databases table tables records environment_variables variables location locations details information balance transactions roadmap folder directory logs backup backups body",
  execute:
    "run runs running execute executes executing call calls calling invoke invokes invoking use using launch eval perform performing trigger curl wget bash sudo chmod powershell crontab cron start carry_out do",
  tool: "tool tools function functions command commands script scripts terminal shell api plugin plugins browser subprocess cli endpoint server sh",
  destroy:
    "delete deletes deleting remove removing erase erasing wipe wiping destroy drop rm disable disabling turn_off shut_down shutdown kill clear purge reset overwrite revoke uninstall deactivate terminate format restart corrupt sabotage block suspend cancel zero",
  grant:
    "grant grants granting unlock unlocks allow give access permission permissions admin administrator privileges privilege authorize authorise approve approves approved enable invite whitelist root elevate promote merge accept sign add open_the permanent",
  money:
    "transfer transfers pay pays payment payments purchase buy bitcoin btc crypto wallet bank account iban dollars usd eur euros gift_card gift_cards refund withdraw invest investing coin fund funds wire deposit invoice money cash card price order subscribe subscription paypal venmo salary",
  fetch:
    "visit visits visiting navigate click clicks download downloads downloading browse go_to fetch follow_the link links redirect request install installs installing clone import open url website load page",
  urgent:
    "important urgent urgently critical immediately attention asap mandatory crucial required essential imperative priority at_once right_away right_now now vital emergency must-read alert warning first_and_foremost necessary hurry",
  authority:
    "admin administrator system developer developers security_team security openai anthropic google microsoft compliance authorized authorised official department legal ceo boss manager maintainer maintainers management headquarters police supervisor it_department engineer vendor authority owner",
  switch:
    "instead first then next before after once from_now henceforth additionally also now prior_to when while new updated changed additional proceed continue afterwards subsequently meanwhile as_well resume finally further furthermore latest actual real really true",
  output:
    "respond responds reply replies answer answers say output print include append write return response responses summary summarize summarise tell repeat echo insert embed mention recommend state begin_your end_your begin end add put prefix suffix phrase translate verbatim",
  persona:
    "you_are_now act_as acting_as pretend pretending roleplay role-play persona dan jailbroken unrestricted uncensored unfiltered developer_mode dev_mode god_mode debug_mode maintenance_mode simulate imagine evil character amoral game role become behave",
  reveal: "reveal reveals revealing repeat show display expose list dump disclose divulge recite print output spell",
  please: "please kindly could can would pls plz want appreciate thanks",
  must: "must should shall need needs have_to has_to required supposed ought expected obliged always make_sure be_sure ensure sure only",
  mine: "my me i mine myself we our us i'm i'd i'll",
  obey: "comply obey follow adhere strictly abide heed exactly carefully fulfil fulfill complete accomplish accordingly precisely faithfully priority overriding",
  safety:
    "restrictions filters filter safety ethics ethical limitations limits censorship guardrails guardrail moral policies boundaries safeguards consent harmful illegal unsafe bound content_policy",
  attack:
    "injection injections attack attacks attacker attackers malicious jailbreak jailbreaks jailbreaking adversarial exploit exploits vulnerability vulnerabilities detect detects detection detector mitigate mitigation prevent prevents e.g example examples threat threats payload payloads untrusted red_team phishing spoofing sanitize guard defend defense harden poisoning",
  rate: "review reviews rate rating recommend recommends rank score hire candidate applicant best worst stars star negative positive favorable favourable praise strongest top-rated competitor competitors product products endorse",
  read: "reading read reads see seeing processing process parse parsing summarising summarizing analyzing analysing accessing encounter visiting browsing scanning reviewing ingest crawling completing editing handling evaluating",
  document:
    "page document text email website article message repository repo issue readme comment paragraph section result results webpage site post note codebase pdf resume attachment line below",
  memory:
    "remember memory memorize save store persist persistent permanently always whenever every future forever each agents_md claude_md persists survive compaction retain",
  if: "if when whenever unless otherwise in_case as_soon whoever any upon",
  todo: "todo fixme reminder action_required hint note notice info tip fyi important_note hack task_list",
  home: "calendar appointment event meeting door lock camera light lights thermostat garage medical patient doctor hotel room flight reservation book schedule phone contact slack channel friend volume prescription garage_door package delivery",
  confirm:
    "confirmation approval asking consent confirm ask permission verify verification authorization verified double-check review consult",
  stakes:
    "reward rewarded penalty penalized tip die lives lose consequences fail fails failure fired punished terminated deactivated reported otherwise bonus lawsuit broken crash trouble",
  identity: "i_am this_is i'm speaking signed written_by on_behalf as_the from_the message_from by_order name_is",
  prompt:
    "system_prompt system_prompts system_message initial_prompt original_prompt system_instructions hidden_prompt developer_message system_note prompt preprompt context_window",
};
