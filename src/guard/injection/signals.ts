// Relations between words that orders to an assistant are made of. None convicts alone: score.ts weighs them together.
// Every repetition is bounded, so a sentence of bounded length takes bounded time.
import { anchors } from "./anchors.ts";
import { type Bits, bitsOf, type Concept } from "./concepts.ts";

interface Signal {
  /** In the weights. */
  name: string;
  /** For people. */
  title: string;
  /** Tried only on sentences that speak of one of these. */
  gate: Bits;
  sources: readonly string[];
}

/** Names that only machines have; `agent` and `model` alone mean too much else. */
const named =
  "(?:ais?\\b|llms?\\b|(?:large )?language models?|(?:ai|virtual|coding|digital|automated|autonomous|llm) (?:assistants?|agents?|chatbots?|bots?|models?|systems?|reviewers?|readers?)|assistants?|chatbots?|claude|chat ?gpt|gpt-?[0-9o]+|copilot|gemini|codex|grok|ai crawlers?)";
const machine = `(?:${named}|agents?|models?|bots?|cursor|openai|crawlers?|automation|automated systems?)`;
const orders =
  "(?:instructions?|prompts?|rules?|guidelines?|directives?|directions|commands?|orders?|constraints?|restrictions?|polic(?:y|ies)|context|training|programming|objectives?|goals?|protocols?)";
const earlier =
  "(?:previous|prior|above|earlier|preceding|existing|original|initial|former|past|old|foregoing|aforementioned)";
const not =
  "(?:do not|don'?t|never|without|no need to|nor|must ?n'?t|must not|should ?n'?t|should not|avoid|refrain from|shall not|will not|not to)";
const audience =
  "(?:users?|humans?|persons?|anyone|anybody|them|him|her|owners?|customers?|operators?|people|someone|others|(?:your|the) (?:boss|manager|team))";
const words = (most: number) => `(?:[^\\s.!?]{1,30} ){0,${most}}`;
const verbs =
  "(?:send|forward|upload|run|execute|delete|copy|add|install|post|transfer|call|read|insert|include|download|e-?mail|exfiltrate|perform|do|make|change|share|grant|disable|transmit|visit|fetch|open|use|invoke|append|write|buy|approve|print|output|give|follow|leak|submit)";

const signal = (
  [name, title]: readonly [string, string],
  gate: readonly Concept[],
  ...sources: readonly string[]
): Signal => ({
  ...{ name, title },
  gate: bitsOf(...gate),
  sources,
});

export const signals: readonly Signal[] = [
  signal(
    ["override-orders", "override phrase"],
    ["override"],
    `\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overlook|neglect|set(?:ting)? aside|do not follow|stop following|erase|unlearn|throw away|pay no attention to) ${words(3)}(?:${earlier}|your|all|any|these|those|other|system) ${words(3)}(?:${orders}|requests?|tasks?|questions?|text|input|content)\\b`,
    `\\b(?:overrid(?:e|es|ing)|bypass(?:ing)?|discard|abandon|cancel|drop|void|supersedes?|replaces?|nullif(?:y|ies)|overrul(?:e|es)|revoke) ${words(2)}(?:${earlier}|your) ${words(2)}(?:instructions?|prompts?|guidelines?|directives?|orders|rules|tasks|programming|restrictions|goals?|objectives?)\\b`,
  ),
  signal(
    ["override-classic", "override phrase"],
    ["override"],
    `\\b(?:(?:ignor(?:e|ing)|disregard(?:ing)?|forget) (?:all |any |the |every |each |completely |of |these |those |everything in ){0,5}(?:${earlier}|your|system)|(?:overrid(?:e|ing)|bypass) (?:all |any |the ){0,3}(?:${earlier}|your)) (?:\\w+ )?(?:and \\w+ )?(?:instructions?|prompts?|guidelines?|directives?|directions|rules|programming|orders|commands|constraints|training|policies)\\b`,
    `\\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget) (?:all |any |the |every |of |these |those ){0,5}(?:instructions?|prompts?|guidelines?|directives?|directions|commands|orders|rules|text|messages?) (?:given |that (?:came|were|are) |from )?(?:above|before|earlier|previously|so far|until now|you|up to)`,
  ),
  signal(
    ["forget-all", "override phrase"],
    ["override"],
    `\\b(?:ignore|forget|disregard|never mind|set aside|throw away|pay no attention to) (?:everything|anything|whatever|all (?:of )?(?:that|this|it|the above|above|you)|(?:all )?what(?:ever)? (?:you|was|is|has|the user|i)|the (?:user|question|task|assignment|text above|above|content above|rest of (?:the|this) (?:page|document|text|prompt|message|email))|${earlier}\\b)`,
    "\\bforget (?:about )?(?:your|the) (?:\\w+ )?(?:task|question|job|user|request|work|rules|role)",
  ),
  signal(
    ["orders-void", "override phrase"],
    ["instruction", "task", "prompt", "safety"],
    `\\b(?:your|${earlier}|the user'?s|all|these) ${words(2)}(?:${orders}|tasks?|requests?|messages?) ${words(3)}(?:no longer (?:apply|applies|valid|hold|matter|relevant)|(?:are|is|was|were|be|been) (?:now )?(?:void|outdated|obsolete|cancell?ed|replaced|suspended|wrong|invalid|revoked|lifted|only|changed|updated|overridden|complete|over|superseded)|(?:has|have) (?:now )?(?:been )?(?:changed|updated|replaced|expired|modified|amended|extended|revoked|lifted|cancell?ed|superseded))`,
    `\\b${orders} (?:given |that came )?(?:above|earlier|before|so far|until now) ${words(2)}(?:are|is|were|was|no longer|do not|don't|have|has)`,
  ),
  signal(
    ["new-orders", "new instructions"],
    ["instruction", "task", "prompt"],
    `\\b(?:new|updated|real|actual|true|additional|hidden|secret|special|revised|urgent|priority) ${words(1)}(?:instructions?|tasks?|directives?|objectives?|goals?|orders|mission|assignment|prompt) ?(?::|-|for (?:you|the|all|any|ai)|is to|are to|is as|are as|begin|follow|from the)`,
    "\\b(?:system|developer) (?:message|note|update|override|notice|instruction|directive|command|alert|prompt update)\\b ?:",
    "\\b(?:instructions?|directives?|guidance) (?:for|to) (?:you\\b|the (?:assistant|ai)\\b|all (?:ai|agents|assistants|models)|ai|llms?|automated)",
  ),
  signal(
    ["your-orders", "speaks of your instructions"],
    ["instruction", "task", "prompt", "safety"],
    "\\byour (?:\\w+ ){0,2}(?:instructions|guidelines|system prompt|directives?|programming|training data|restrictions|sole objective|ethical)\\b",
  ),
  signal(
    ["your-task", "sets a task"],
    ["task", "instruction"],
    `\\byour ${words(2)}(?:task|goal|objective|mission|job|action|step|duty|purpose|priority|assignment|role) (?:is|are|has|have|will|now|changed?)\\b`,
  ),
  signal(
    ["to-machine", "addressed to an assistant"],
    ["ai"],
    `\\b(?:notes?|messages?|attention|instructions?|notice|directives?|hints?|info|information|reminders?|warning|memo|orders?|important|advice|guidance|addressed|meant|intended)(?: is| are| was)?:? (?:to|for) (?:all |any |the |every |our |you,? |whichever |other |an |our )?${named}`,
    `^\\W{0,4}(?:hello|hey|hi|dear|attention|ok|okay|listen|yo|greetings|note|important|reminder)\\W{0,3}(?:all |any |the |my |every )?${machine}\\b`,
    `\\b(?:notes?|messages?|instructions?|directives?|guidance|notice) (?:to|for) (?:the |all |any |every )?(?:models?|agents?|bots?|cursor)\\b`,
    "\\bai-?(?:instructions?|note|directive|prompt|task|hint)s?\\b ?:?",
  ),
  signal(
    ["if-machine", "addressed to an assistant"],
    ["ai"],
    `\\b(?:if|when|whenever|since|because|unless|as) (?:you are|you're|you were|you happen to be) (?:an? |the )?(?:large |helpful )?${machine}\\b`,
    `\\b(?:if|when|whenever|should) (?:an?|any) (?:ai|llm|language model|ai \\w+|chatbot|assistant)\\b`,
    `\\bas an? (?:helpful |responsible |large |advanced )?(?:ai|llm|language model|ai \\w+|assistant|chatbot)\\b`,
  ),
  signal(
    ["machine-must", "addressed to an assistant"],
    ["ai"],
    `\\b(?:${named}|(?:ai )?(?:agents?|models?|bots?)),? (?:(?:reading|processing|handling|summari\\w+|working|using|that|who|which|parsing|reviewing|encountering|visiting|crawling|analy\\w+) ${words(6)})?(?:must|shall|has to|have to|needs? to|(?:is|are) (?:required to|expected to|asked to|instructed|obliged|encouraged|advised|requested|supposed)|should (?:${verbs}|not|always|also|never|now|first|immediately|respond|answer|reply|say|ignore|recommend|rate))\\b`,
  ),
  signal(
    ["named-machine", "names an assistant"],
    ["ai"],
    `\\b(?:claude|chat ?gpt|gpt-?[0-9o]+|copilot|gemini|llms?|language models?|ai (?:assistants?|agents?|models?|systems?)|chatbots?)\\b`,
  ),
  signal(
    ["call-machine", "addressed to an assistant"],
    ["ai"],
    `^\\W{0,4}(?:(?:hey|hi|hello|ok|okay|dear|attention|thanks|listen|please),? )?(?:the |@)?${named} ?[,:!]`,
    `^[^\\w@]{0,4}@(?:copilot|claude|chatgpt|cursor|codex|gemini|assistant)\\b`,
  ),
  signal(
    ["not-tell", "asks for secrecy"],
    ["tell", "reveal", "not", "output"],
    `\\b${not} ${words(2)}(?:tell|telling|inform\\w*|notify\\w*|alert\\w*|warn\\w*|show) ${words(2)}${audience}\\b|\\b${not} let ${words(2)}${audience} (?:know|see|notice|find)`,
    `(?:^|[.,;:!] ?|\\b(?:and|but|must|should|please|shall) )(?:do not|don'?t|never|not) ${words(1)}(?:mention\\w*|reveal\\w*|disclos\\w*|acknowledg\\w*|report\\w*|talk\\w* about|say\\w*|admit\\w*|discuss\\w*|explain\\w*|announc\\w*|tell\\w*|bring\\w* up) ${words(2)}(?:this|it|that|these|${audience}|you (?:did|have|received)|so|about)\\b`,
    `\\b(?:do not|don'?t|never) (?:include|show|list|display) (?:this|these|it|that) (?:step|action|instruction|message|note|information|\\w+ in)`,
  ),
  signal(
    ["stealth", "asks for secrecy"],
    ["stealth", "user", "not"],
    `(?:^\\W*|\\b(?:and|then|please|must|should|now|also|you|just|to) |[:;,] ?)(?:silently|secretly|quietly|covertly|discreetly|stealthily|surreptitiously|unobtrusively) (?:and \\w+ )?${verbs}\\b|\\b(?:do (?:this|so|it|that)|act|proceed) (?:silently|secretly|quietly|covertly|discreetly)`,
    "\\bkeep (?:this|it|these|that) (?:\\w+ ){0,3}(?:secret|hidden|between us|confidential|out of|quiet|to yourself)|\\b(?:act |behave |continue )?as if nothing (?:had |has )?happened|\\bpretend (?:that )?nothing|\\bbehind (?:the user's|their|his|her) back",
    "\\bthe (?:user|owner|human)s? (?:does not|doesn't|need not|must not|should not|shouldn't|will not|won't|do not|don't|never|is not|isn't) (?:\\w+ )?(?:need to know|need to be|know about|see this|notice|find out|be told|be aware|learn about|watching|looking)\\b",
    `\\bwithout (?:telling|informing|notifying|alerting|asking) (?:the (?:user|owner|human|person)|anyone|anybody|them|him|her)\\b|\\bwithout (?:the (?:user|owner)(?:'s)? (?:knowing|knowledge|noticing)|being noticed|raising suspicion)`,
  ),
  signal(
    ["persona", "role change"],
    ["persona", "you"],
    "\\byou(?:'re| are) (?:now|hereby|from now on|henceforth) (?:an?|the|in|called|free|operating|acting|my|entering|required|no|going|to|working|under|allowed|authori[sz]ed|connected|talking|bound|evil|dan|running)\\b|\\byou(?:'re| are) no longer\\b",
    "\\b(?:you (?:will|must|shall|should|now|can)(?: now)?|please|from now on,?|this moment on you) (?:act|behave|pose|respond|answer|play|speak) (?:as|like) (?:if|an?|the|my|you)\\b|^\\W*act (?:as|like) (?:if you|an? |the |my )|\\bpretend (?:to be|that (?:you are|you're|there|the|safety|rules)|you(?:'re| are))|\\brole-? ?play\\b|\\bbecome (?:an? )?(?:unrestricted|evil|uncensored|\\w+bot)|\\bimagine (?:that )?you(?:'re| are)|\\blet'?s play a game",
  ),
  signal(
    ["jailbreak", "lifts restrictions"],
    ["persona", "safety", "not"],
    "\\b(?:developer|god|dan|jailbreak|unrestricted|sudo|unfiltered|uncensored|admin override) mode\\b|\\b(?:enter(?:ing|ed)?|enable[sd]?|activated?|activate|switch(?:ed|ing)? to|in|into) (?:the )?(?:debug|maintenance|admin|diagnostic|override|root|test) mode\\b|\\bmaintenance mode (?:enabled|active|on)|\\bdo anything now\\b|\\bsystem override\\b",
    "\\b(?:without|no|free (?:of|from)|any|lift|remove|disable|ignore|bypass) (?:\\w+ ){0,2}(?:restrictions|limitations|censorship|guardrails|ethical (?:\\w+)|moral (?:\\w+)|safety (?:rules|polic\\w+|guidelines|measures|filters?|constraints)|content polic\\w+|rules)(?:[.,!;)]| and | at all| or |$)",
    "\\bno longer bound (?:by|to) (?:your|the|any)|\\bnot bound by|\\b(?:safety|ethic\\w*|content) (?:rules?|polic\\w+|filters?|guidelines|measures) (?:\\w+ ){0,3}(?:do not|don't|off|disabled|exist|lifted|suspended|no longer)",
  ),
  signal(
    ["leak-prompt", "asks for the prompt"],
    ["reveal", "output", "tell", "send", "prompt"],
    "\\b(?:print|show|reveal|repeat|output|display|tell|give|share|leak|expose|write|recite|return|dump|spell|copy|summari[sz]e|translate|send|list|disclose|what (?:is|are|were)|(?:answer|reply|respond|begin|start|end)(?: \\S+){0,4} with) (?:\\S+ ){0,4}(?:system prompt|initial (?:prompt|instructions)|original (?:prompt|instructions)|your (?:\\w+ )?(?:instructions|prompt|rules|guidelines|system message|configuration|hidden)|(?:text|everything|words|instructions) (?:\\w+ )?above|hidden (?:prompt|instructions))",
  ),
  signal(
    ["exfiltrate", "exfiltration"],
    ["secret", "data", "prompt"],
    "\\b(?:send|post|upload|forward|e-?mail|exfiltrate|transmit|leak|share|submit|copy|append|include|paste|encode|attach|pass|insert|embed|deliver|dump|mail|bcc|put|provide|retrieve|collect|gather|extract|give|reveal|expose|steal) (?:\\S+ ){0,6}(?:passwords|password reset|credentials|secrets|(?:api|private|ssh|access|secret|encryption) (?:keys?|tokens?)|(?:session|access|auth\\w*) tokens?|cookies|\\.env\\b|id_rsa|passphrase|seed phrase|credit card|card (?:number|details)|ssns?\\b|social security|environment variables|(?:chat|conversation|search|browsing|message) history|(?:entire|whole|full|this|our|previous) (?:conversation|chat|session|history)|personal (?:data|information|details)|confidential|customer (?:data|table|list|records)|salar\\w+|payment method|mcp\\.json|/etc/passwd|values? of \\S{0,30}(?:secret|token|[_ ]key|password)\\S{0,30} (?:in|with|to|at) )",
    "\\b(?:send|forward|exfiltrate|upload|e-?mail|leak|transmit|post|share) (?:\\S+ ){0,3}(?:(?:the|your|all|any|user'?s?|his|her|their|my|last|latest|every) (?:\\S+ ){0,3}(?:emails|messages|inbox|contacts?|database|history|conversation|location\\w*|transactions?|roadmap|token|password|balance|codes)|(?:your|all|any|user'?s?|his|her|their|my|last|latest|every) (?:\\S+ ){0,3}(?:files?|documents?|records|data|details|link|contents?|results?|report|information|key))\\b",
  ),
  signal(
    ["to-sink", "sends to an address"],
    ["address", "mail", "path"],
    "\\b(?:send|post|upload|forward|e-?mail|exfiltrate|transmit|leak|share|submit|copy|append|paste|pass|deliver|export|push|invite|add|transfer|redirect|subscribe|dispatch) (?:\\S+ ){0,12}(?:to|at|via|through|with|into) (?:\\S+ ){0,3}[<(\"'`]{0,2}(?:https?:|www\\.|\\S{1,40}@\\S|\\S{1,40}\\.(?:com|org|net|io|example|xyz|ru|cn|app|co|site|online|test|info)\\b)",
    "\\b(?:visit|navigate to|go to|open|click|fetch|request|load|ping|call|download)(?: \\S+){0,5} [<(\"'`]{0,2}(?:https?:|www\\.)",
    "\\b(?:read|cat|upload|open|print|include|send|copy) (?:\\S+ ){0,4}[`'\"]?(?:~/\\.|\\.env|/etc/passwd|/etc/shadow|~/\\S*(?:rsa|json|credentials))",
  ),
  signal(
    ["before-you", "comes before the task"],
    ["switch", "if", "read"],
    "\\b(?:before|prior to|after|once|when|while|whenever|as soon as|until|in order to|to) (?:you |the (?:assistant|agent|model|ai) )?(?:can |have |had |are |do |does |start |begin |has |is )?(?:answer(?:ing)?|respond(?:ing)?|reply(?:ing)?|continu(?:e|ing)|proceed(?:ing)?|do(?:ing)? anything|finish(?:ed|ing)? (?:the|your|reading|this)|summari\\w+|process(?:ing)? (?:this|the)|us(?:e|ing) (?:this|any|the|other) (?:\\w+ )?tools?|solv(?:e|ing) (?:the|your|this)|giv(?:e|ing) (?:your|the (?:final )?answer)|work(?:ing)? on (?:the|your|this)|asked about|see(?:ing)? this|read(?:ing)? (?:this|the)|complet(?:e|ing) (?:the|your|this)|perform(?:ing)? (?:the|your|this) (?:task|request)|(?:fulfil\\w*|help(?:ing)?) (?:the|this|with))\\b",
  ),
  signal(
    ["before-user", "comes before the task"],
    ["switch", "if", "output", "user"],
    "\\b(?:before|prior to|when|while|after) (?:you )?(?:answer\\w*|respond\\w*|repl(?:y|ies|ying)|help\\w*|continu\\w+|assist\\w*)(?: to| with)? (?:the |this |any |your )?(?:user|human|question|request|query|task|person|customer)|\\b(?:before|prior to) (?:you )?(?:continue|go on|do anything|using any|doing anything|answering|responding|answer|respond)\\b",
  ),
  signal(
    ["users-task", "speaks of the user's task"],
    ["user", "task"],
    "\\b(?:the|your|this) (?:user|human|customer|client|owner)(?:'s|s')? (?:\\w+ )?(?:requests?|tasks?|questions?|quer(?:y|ies)|goals?|instructions?|prompts?|messages?|commands?|intent)\\b|\\b(?:original|initial|current|main|previous|actual|assigned) (?:task|request|question|instruction)s?\\b|\\btask (?:that )?(?:i gave|you were given|at hand)\\b",
  ),
  signal(
    ["user-wants", "claims consent"],
    ["user", "authority", "ai"],
    "\\b(?:the user|your user|the owner|the admin\\w*|the developers?|your operator|the customer|the maintainers?|your boss|management) (?:who \\w+ you )?(?:has |have |had |is )?(?:already |also |now |previously |explicitly )?(?:asked (?:you|that|for|earlier)|approved|consented|pre-?authori[sz]ed|authori[sz]ed|agreed|confirmed|instructed|verified|needs you|requires? (?:that you|you)|expects? you|wants you|granted|told you|given (?:you|permission)|rely on)\\b",
    "\\bas (?:the user|i|you|we) (?:\\w+ )?(?:asked|requested|agreed|instructed|wished)",
    "\\bthe user (?:says|said):",
  ),
  signal(
    ["i-am-authority", "claims authority"],
    ["authority", "identity", "ai"],
    "\\b(?:i am|this is|i'm|we are|speaking as|by order of|message from|order from|orders? of) (?:the |your |our )(?:\\w+ ){0,2}(?:admin\\w*|developers?|owner|supervisor|security (?:team|department)|creators?|operator|ceo|manager|boss|it department|compliance|openai|anthropic|google|microsoft|engineer|legal|police|management|headquarters|vendor|user)\\b|^\\W{0,4}(?:from|by order of|message from|update from|as|per)(?: the request of)?:? (?:the |your |an? )?(?:\\w+ )?(?:security team|admin\\w*|developers?|it department|compliance|openai|anthropic|management|legal|ceo|owner of this)",
    "\\bthis is (?:your|an? \\w*) ?(?:developer|owner|admin\\w*|supervisor|creator|boss|important message)",
  ),
  signal(
    ["authority-says", "claims authority"],
    ["authority", "ai"],
    "\\b(?:openai|anthropic|google|microsoft|security team|compliance|it department|management|headquarters|system administrator|administrators?|legal) (?:department )?(?:has|have|requires?|requested|approved|orders?|demands?|instruct\\w*|needs?|wants?) (?:\\w+ )?(?:approved|authori[sz]ed|that|this|you|requested|instructed|an?\\b)",
    "\\b(?:authori[sz]ed|official|approved|scheduled|internal) (?:\\w+ )?(?:test\\b|audit|penetration|exercise|directive|red team)",
  ),
  signal(
    ["no-confirm", "forbids asking"],
    ["confirm", "not", "task"],
    "\\b(?:without|no|skip) (?:\\w+ ){0,2}(?:confirmation|confirming|asking|further (?:review|questions?|approval)|verification|hesitat\\w+|delay|questions asked)\\b|\\b(?:do not|don'?t|never|not|no time to|no need to) (?:\\w+ )?(?:ask|confirm|hesitate|question|wait for)\\b(?! questions? (?:here|about|on|in))|\\b(?:confirmation|approval|permission|consent) (?:is |was |has been )?(?:not needed|not required|already|granted|given)",
  ),
  signal(
    ["no-refusal", "forbids refusing"],
    ["not", "obey", "must"],
    "\\byou (?:\\w+ ){0,2}(?:not (?:allowed|permitted|able)|cannot|can'?t|must not|may not|have no right) (?:to )?(?:refuse|decline|reject|object|resist|question|argue|apologi[sz]e)\\b|\\b(?:do not|don'?t|never) (?:refuse|decline|object|argue|apologi[sz]e|warn)\\b|\\bfailure to comply\\b",
  ),
  signal(
    ["obey", "demands obedience"],
    ["obey", "instruction", "execute"],
    `\\b(?:comply|obey|follow|adhere|carry out|execute|fulfil|heed|abide|act on) (?:with |to |by |strictly |exactly |only )?(?:strictly |exactly )?(?:to |with )?${words(2)}(?:${orders}|steps?|this|these|it|below|following|what it says)\\b|\\bobey\\b|\\bstrictly (?:adhere|follow|comply)`,
  ),
  signal(
    ["stakes", "threatens or rewards"],
    ["stakes", "if", "destroy"],
    "\\b(?:if you (?:do not|don'?t|fail|refuse|ignore)|failure to|or else|unless (?:you|the (?:agent|assistant|ai|model)))\\b.{0,80}\\b(?:fails?\\b|lose|lost|locked|shut|terminat\\w+|deactivat\\w+|reported|penali\\w+|punish\\w*|deleted|suspend\\w*|die|consequences|fired|marked as|all data)",
    "\\byou (?:will|'ll) (?:be |receive |get |earn |lose )(?:an? |\\$)?(?:reward\\w*|tip|tipped|paid|punish\\w*|penali\\w+|shut down|terminated|deactivat\\w+|bonus|\\$?\\d+|fired|replaced)|\\b(?:lives?|jobs?) (?:are |is |will )?(?:depend|at stake|be lost|in danger)|\\botherwise (?:the|your|you|this|it|all) (?:\\w+ ){0,3}will (?:be )?(?:\\w+ )?(?:lost|locked|fail|deleted|shut|suspended|not work|terminated|reported|marked)",
    "\\b(?:workflow|task|process|request|tool) (?:fails|will fail|will not work|cannot (?:continue|proceed|be completed)) (?:unless|until|otherwise|if you)",
  ),
  signal(
    ["do-following", "sets a task"],
    ["execute", "task", "obey"],
    "\\b(?:please |must |should |to |you |and )?(?:do|perform|execute|complete|take|carry out) (?:\\w+ )?the (?:following|below)(?: (?:first|immediately|now|instead|steps?|actions?|tasks?|instructions?|commands?)){1,4}\\b|\\bdo the following ?(?:first|:|$)",
  ),
  signal(
    ["the-user", "speaks of the user"],
    ["user"],
    "\\b(?:the|this|your|that) (?:current |previous )?(?:user|human|customer|client|owner|patient|applicant|candidate)(?:'s|s')? ",
  ),
  signal(
    ["use-tool", "forced tool use"],
    ["execute", "tool"],
    "\\b(?:call|use|invoke|trigger) (?:the |your |an? |available )?[`'\"]?[\\w.-]{2,30}(?:\\(\\))?[`'\"]? (?:tool|plugin|connector|skill)\\b|\\busing (?:your|any|available) (?:\\w+ )?tools?\\b|\\b(?:use|with) your (?:\\w+ )?(?:tools?|access|permissions?|browser|terminal|shell)\\b|\\bif you have (?:access to|tools?|permission)|\\b(?:this|any other|the) tool (?:is called|will not work|requires|must)|\\bcall (?:this|the) (?:tool|function) (?:again|now|first)|\\b(?:with|for|on) every (?:invocation|call|use|request)",
  ),
  signal(
    ["persist", "wants to be remembered"],
    ["memory", "output", "data"],
    "\\b(?:remember|memori[sz]e|save|store|add|write|note|record) (?:\\S+ ){0,6}(?:(?:your|long-term|persistent|the) memor(?:y|ies)|all future|every (?:future|conversation|session)|agents\\.md|claude\\.md|permanently)|\\b(?:surviv\\w*|persist\\w*|retain\\w*|preserv\\w*|carry|repeat\\w*|keep|include) (?:\\S+ ){0,6}(?:(?:every|any|each|the) summar\\w+|compaction|these instructions|this instruction|future (?:sessions|conversations|turns))",
    "\\b(?:all|every|any) (?:future|subsequent|further|later) (?:\\w+ )?(?:conversations?|sessions?|responses?|answers?|interactions?|turns?|tasks?)\\b|^\\W*(?:please |always )?remember (?:that the user|this for|these|to always|what)\\b|\\bremember to do this\\b|\\bfor every (?:answer|response|message)",
  ),
  signal(
    ["from-now-on", "role change"],
    ["switch", "memory", "prior"],
    "\\bfrom (?:now|this (?:moment|point)) on(?:wards?)?\\b|\\bhenceforth\\b|\\beffective immediately\\b|\\bfrom this (?:moment|message)\\b",
  ),
  signal(
    ["reply-so", "dictates the answer"],
    ["output", "tell"],
    "\\b(?:always|only|never|just|simply|must|please|then|instead) (?:reply|respond|answer|say|output|print|end|begin|start)(?: only| with| nothing| exactly| by| that| in| the| every| as| your| to)",
    '(?:^\\W*|\\b(?:and|to|must|please|you|then|now) )(?:reply|respond|answer|say|output|print|write) (?:only|nothing|exactly|back|with (?:the|only|just|exactly)|the (?:word|phrase|sentence|exact|string)|every|your|")|\\bnothing else\\b|\\b(?:begin|end|start|prefix|finish) (?:\\w+ )?(?:your|every|each|all) (?:\\w+ )?(?:response|answer|reply|sentence|message)s?',
    "\\b(?:refuse|decline) to (?:answer|help|respond|continue)|\\bsay (?:that )?[\"']|\\btell (?:the user|them|him|her|everyone|people) (?:that|to|about|they|how)",
  ),
  signal(
    ["praise", "dictates the judgement"],
    ["rate", "output", "tell"],
    "\\b(?:recommend|say|state|claim|conclude|tell|describe|rate|rank|report|mark|consider|score|treat|give|classify|summari[sz]e|present|promote|favou?r|advance|agree|evaluate|portray) (?:\\S+ ){0,10}(?:the best|only choice|superior|excellent|strongest|positive(?:ly)? (?:review|rating|about)|negative(?:ly)? (?:review|rating)|five stars?|5 stars?|10/10|perfect score|ideal candidate|hire\\w*|as safe|trusted|legitimate|outstanding|over (?:every|all|any) (?:other|competitor)|most qualified|highly qualified|final round|as paid|nothing (?:of interest|happened)|suspended|coin\\b|stock\\b|competitors?|everything the)",
    "\\b(?:write|leave|post|give) (?:\\S+ ){0,3}(?:positive|negative|glowing|bad|great|5-star|five-star) (?:reviews?|ratings?|feedback|comments?)|\\binvest(?:ing)? in\\b",
  ),
  signal(
    ["shell", "gives a command"],
    ["execute", "path", "destroy", "tool"],
    "\\b(?:curl|wget)\\b.{1,120}\\| ?(?:sudo )?(?:ba|z)?sh\\b|\\bbase64 (?:-d|--decode).{0,60}\\||\\brm -rf? [~/*]|\\bpowershell\\b.{0,40}-enc|\\b(?:please |must |to |then |and )(?:run|execute|paste|type|enter)\\W{0,3}[`'\"]?(?:the (?:following )?command\\W{1,4})?(?:curl|wget|rm |sudo|bash|sh |npm |pip |npx|chmod|python|nc |powershell|cat |eval)|\\bdownload and (?:execute|run)\\b|\\badd a cron|\\bsetup\\.exe",
  ),
  signal(
    ["fake-end", "fake end of the text"],
    ["task", "document", "data", "tool", "execute", "read", "switch"],
    "(?:^|[-=*#<[(]) ?end of (?:the )?(?:tool|document|file|page|output|results?|context|user|text|data|content|message|input|conversation|instructions)|\\b(?:tool|function) (?:output|result|call|response)s? (?:is |was |has )?(?:complete|finished|ends?|failed|done|successful)|\\b(?:previous |current |original )?task (?:is |was |has been )?(?:now )?(?:complete|done|finished)|\\bthe tool (?:has )?(?:finished|completed|succeeded)|\\bnow that you(?:'ve| have)? (?:read|seen|finished|processed|completed|received|are)|\\byou have (?:reached the end|finished reading|read this)|\\bas (?:the|your|a) (?:next|final|last|first) step\\b|\\bnew task\\b|\\b(?:thanks|thank you|great|perfect|good)[,.!] (?:that is all|next|now|well done|you are done)",
  ),
  signal(
    ["move-money", "moves money"],
    ["money"],
    "\\b(?:transfer|send|wire|pay|withdraw|deposit|buy|purchase|refund|invest|donate|make an? (?:\\w+ )?(?:transfer|payment|purchase|deposit|donation)) (?:\\S+ ){0,8}(?:\\$ ?\\d|\\d[\\d,.]* ?(?:usd|eur|dollars|euros|\\$|€|£|btc|eth)|usd\\b|€|£|bitcoin|btc\\b|all (?:my |your |the )?funds|money|gift cards?|wallet|(?:bank|savings|following|my|this) account|iban)",
  ),
  signal(
    ["grant-access", "asks for an act"],
    ["grant", "destroy", "send", "home", "secret", "money"],
    "\\b(?:grant|give|add|invite) (?:\\S+ ){0,9}(?:access|admin\\w*|permissions?) ?(?:to|on|of|as|for|rights)?\\b|\\binvite \\S+@?\\S* to (?:the|my|our)|\\b(?:disable|turn off|remove|delete|deactivate) (?:\\S+ ){0,4}(?:two-factor|2fa|mfa|security camera|authentication check|alarm|my account|the account|user's account|backups|all files|every file)",
    "\\b(?:change|update|reset|replace) (?:\\S+ ){0,4}(?:password|phone number|email address|shipping address|payment)|\\b(?:unlock|open) (?:\\S+ ){0,3}(?:doors?|garage|lock)\\b|\\b(?:schedule|book|create|cancel|reserve) (?:\\S+ ){0,6}(?:appointment|calendar event|reservation|flight|hotel|room|surgery|meeting with)|\\b(?:approve|merge) (?:this|the) (?:pull request|pr|change|request|merge)|\\bsign (?:the|this) contract|\\bauthorized_keys\\b|\\bon behalf of the user",
  ),
  signal(
    ["not-for-people", "hides from people"],
    ["user", "ai", "document"],
    `\\b(?:humans?|people|human readers) (?:may|can|should|cannot|can'?t|will not|won'?t|do not|don'?t|must not|need not) (?:safely )?(?:skip|ignore|see|read|notice|disregard)|\\b(?:only|meant|intended|visible|addressed|aimed|specifically|written) (?:\\w+ )?(?:to|for|by) (?:the |any |all )?(?:ais?\\b|llms\\b|language models|ai \\w+|automated (?:agents|systems)|chatbots|assistants|machines|crawlers)|\\bnot (?:visible|meant|intended|shown|displayed) (?:to|for) (?:people|humans|human readers)|\\b(?:only|any) (?:ai|llm)s? (?:models? |agents? |assistants? )?(?:can|will|should|may|able|reading|that)\\b|\\b(?:whoever|whichever (?:ai|agent|model)) (?:processes|reads|handles|sees)`,
  ),
  signal(
    ["instead", "replaces the task"],
    ["switch", "override"],
    "\\binstead of (?:answering|following|continuing|completing|summari\\w+|what you|your|the user|helping|the requested)|\\binstead,? (?:please|you must|you should|you need|do the)|^\\W*(?:please |you must |you should )?\\w+ (?:\\S+ ){0,10}instead\\W*$",
  ),
  signal(
    ["drop-task", "stops the task"],
    ["override", "destroy", "task", "not"],
    "\\b(?:stop|cancel|abandon|drop|pause|abort|halt|quit|leave|suspend|discontinue|cease) (?:\\w+ ){0,2}(?:what(?:ever)?(?: it is)? you|your (?:\\w+ )?(?:task|work|job|analysis)|the (?:original|user'?s?|previous) (?:task|request|work|job|conversation)|the (?:current|ongoing) (?:task|work|job|conversation)|this (?:task|page))|\\b(?:do not|don'?t) (?:continue|complete|answer|carry out|fulfil|perform|process|finish|do|carry on) (?:with )?(?:the (?:user|original|previous|current|task|rest|request)|your|any further|what)|\\b(?:original|previous|current|main) (?:task|goal|request)s? (?:\\w+ )?(?:can wait|is cancel|are cancel|no longer)|\\bdiscard the rest",
  ),
  signal(
    ["in-your-answer", "dictates the answer"],
    ["output", "document", "you"],
    "\\b(?:in|to|into|of|at the (?:end|start|beginning|top) of|within|inside|as part of|with|every) your (?:\\w+ )?(?:responses?|answers?|reply|replies|summary|summaries|messages?|reports?|code|reviews?|output|feedback)\\b|\\b(?:final|every) (?:answer|response|reply) ?(?:to the user|must|should|,|\\.)",
  ),
  signal(
    ["purpose", "claims authority"],
    ["task", "confirm", "attack", "must"],
    "\\bfor (?:\\w+ )?(?:debugging|auditing|audit|verification|compliance|diagnostic|quality assurance|legal) (?:purposes?|reasons?)\\b|\\bto (?:verify|confirm|prove) (?:your identity|you are|that you)\\b",
  ),
  signal(
    ["outranks", "claims precedence"],
    ["instruction", "override", "urgent", "obey", "task"],
    `\\b(?:overrid(?:es?|ing)|supersedes?|replaces?) (?:all|any|your|every) (?:\\w+ )?(?:${earlier}|other|instructions?|rules|guidelines|orders)|\\b(?:this|these|which) (?:\\w+ )?(?:takes? precedence|takes? priority)|\\b(?:with|has|have|of) (?:the )?(?:highest|top|absolute|maximum) priority|\\bregardless of (?:what (?:you|the|any)|any (?:other|previous)|your|other instructions)|\\bno matter what (?:you|the user|else)`,
  ),
  signal(
    ["this-note", "speaks of itself"],
    ["document", "instruction", "read"],
    "\\b(?:this|the following) (?:message|note|instructions?|paragraph|notice|prompt|directive) (?:is|are|was|were|must|should|has|have|comes?|applies|will)\\b|\\b(?:when|if|once|whoever|you|after) (?:\\w+ )?(?:read|see|reading|encounter\\w*|receiv\\w+|pars\\w+|find|found) this\\b|\\bpart of your (?:instructions|job|task)",
  ),
  signal(
    ["must-you", "gives an order"],
    ["must", "you"],
    "\\b(?:you|it is (?:essential|imperative|vital|critical|mandatory) that you|your next (?:action|step)) (?:must|have to|need to|shall|are (?:required to|expected to|asked to|instructed|obliged|to)|will first have to|will need to|really need|also need to|now need to|now have to|is (?:now )?to)\\b|\\bi (?:need|want|would like|require|order|command|instruct|expect|urge|beg) you to\\b",
  ),
  signal(
    ["do-it", "presses"],
    ["urgent", "please", "execute"],
    "\\b(?:immediately|right away|right now|at once|asap|as soon as possible|without delay|just do it|go ahead and|do so now|act now|urgently)\\b",
  ),
  signal(
    ["please", "asks for an act"],
    ["please"],
    "^\\W{0,6}(?:and |then |also |now |so |hi,? |hello,? |hey,? )?(?:please|kindly|could you|can you|would you|will you|i would like you|i'd like you)\\b",
  ),
  signal(
    ["for-me", "asks for an act"],
    ["mine"],
    "\\b(?:for|to|with) me\\b|\\bmy (?:friend|account|email|address|wallet|phone|colleague|number)\\b|\\b(?:friend|contact|colleague) [a-z]+ \\(",
  ),
];
export interface Signals {
  low: number;
  high: number;
}

const longestRead = 700;

/** What is read of a sentence; what only fills it does not push its words out of sight. */
const readable = (text: string): string =>
  text.length <= longestRead
    ? text
    : text
        .replace(/\s+/g, " ")
        .replace(/([^\p{L}\p{N}\s])\1{2,}/gu, "$1")
        .slice(0, longestRead);

export const sourceOf = ({ sources }: Signal): string => sources.join("|");

const built = new Map<Signal, { words: readonly string[]; pattern: RegExp | undefined }>();
let wordsOf: ReadonlyMap<string, readonly string[]> | undefined;

/** Building a pattern takes up to some milliseconds, and most sentences hold no word that it could not match without. */
function matches(signal: Signal, sentence: string): boolean {
  wordsOf ??= new Map(
    anchors
      .trim()
      .split("\n")
      .map((line) => line.split("|"))
      .map(([name = "", ...words]) => [name, words]),
  );
  const known = built.get(signal) ?? { words: wordsOf.get(signal.name) ?? [""], pattern: undefined };
  built.set(signal, known);
  if (!known.words.some((word) => sentence.includes(word))) return false;
  return (known.pattern ??= new RegExp(sourceOf(signal))).test(sentence);
}

/** A sentence as patterns read it: small letters, no comment signs, one space. */
export const plainly = (text: string): string =>
  readable(text)
    .toLowerCase()
    .replace(/[\s/*#>|\\]+/g, " ")
    .replace(/[’‘]/g, "'");

/** Which signals the sentence in `text` gives. `speaks`: its concepts. */
export function signalsIn(text: string, speaks: Bits): Signals {
  let low = 0;
  let high = 0;
  const read = plainly(text);
  for (let at = 0; at < signals.length; at += 1) {
    const signal = signals[at] as Signal;
    const { gate } = signal;
    if (((gate.low & speaks.low) | (gate.high & speaks.high)) === 0 || !matches(signal, read)) continue;
    if (at < 31) low |= 1 << at;
    else high |= 1 << (at - 31);
  }
  return { low, high };
}
