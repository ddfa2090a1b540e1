// What a name says about its value.

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** `key` and `token`: random text; `password`: what a person chose; `vendor`: a service's name and nothing more. */
export type Kept = "password" | "secret" | "token" | "key" | "hash" | "weak" | "vendor";

const passwords = set(
  "password passwords passwd passwort kennwort pwd pass passphrase passcode psw pswd passw wachtwoord senha contrasena contraseña clave motdepasse mdp userpassword userpass dbpassword dbpass dbpasswd adminpassword adminpass rootpassword rootpass requirepass masterauth sshpass pgpassword mypassword mysqlpassword rpcpassword keypass storepass keystorepassword truststorepassword",
);
const secrets = set("secret secrets credential credentials cred creds clientsecret appsecret secretkey sharedsecret");
const tokens = set(
  "token tokens jwt bearer authtoken accesstoken apitoken refreshtoken bottoken usertoken authorization oauth csrftoken idtoken webhooktoken personalaccesstoken",
);
const wholeKeys = set(
  "apikey apikeys accesskey secretkey privatekey authkey appkey encryptionkey signingkey masterkey accountkey licensekey sharedaccesskey subscriptionkey consumerkey clientkey servicekey primarykey2 hostkey deploykey sharedkey secretaccesskey accesskeysecret apisecret appsecret privkey",
);
const keyKinds = set(
  "api access secret private auth encryption encrypt encrypted crypt crypto signing sign signature master service account license licence app application client consumer storage shared subscription deploy admin webhook hmac aes rsa ssh jwt session cookie server integration ingest ingestion write read sas rest role security prod production live sandbox xapi user bot stream db database mail email sms payment payments account secure sec root system internal org team project partner developer dev personal publishable ecdsa ed25519 vapid fernet hash",
);
const publicKinds = set(
  "public pub cache primary foreign sort partition object i18n translation react row column map query s3 verify verifier verification lookup unique composite natural surrogate index idempotency locale message group parent child first last next prev arrow enter tab escape host known kms ssl sorted json dict hot short field state registry meta metadata context config option options settings property press down up code keyboard",
);
const asides = set(
  "id ids name names path paths file files filename url urls uri uris hash hashes hashed type types typed length len count field fields label placeholder hint error errors err message messages msg regex regexp pattern patterns policy rule rules strength input inputs prompt title description desc prefix suffix header headers format expiry expires expiration expire ttl timeout size min max minimum maximum index idx version algorithm alg algo scope scopes endpoint endpoints class column columns col param params parameter provider manager handler callback helper ref refs reference arn digest fingerprint checksum sha sha1 sha256 sha512 md5 integrity enabled required visible icon image kind store location dir folder bits cost rounds source sources list map set object constructor function func method model schema table row enum event action reducer selector component button form page view template example examples sample doc docs documentation help usage text content body request response status state mode strategy limit limits counter usage budget budgets per cached caching generator factory parser lexer stream iterator kindof position pos start end line lines span range color colour style css icon alias aliases variable var env host hostname port domain region bucket username user login email mail lookup resolver validator validation valid invalid is has was changed created updated at date time timestamp by for with encoding encoder decoder decode encode encrypted cipher ciphertext signature signatures sig subject issuer audience iss aud sub claim claims attribute attributes attr public pub mask masked used within encryption rotation rotated manager key_id keyid address",
);
/** Words at the end of a name that say nothing. */
const trailing = set(
  "value val env str string default prod production dev development test testing staging stage live sandbox base64 b64 plain raw hex old new current primary secondary main one two backup local here data literal encoded",
);
const weak = set("key keys auth salt nonce iv seed pepper sid cookie session sessionid license serial pin mnemonic");

export const vendors: ReadonlySet<string> = set(
  "abstractapi adafruit adobe adyen airbrake airtable aiven algolia alibaba aliyun alchemy amplitude anthropic apify apollo appcenter appdynamics appveyor artifactory asana assemblyai atlassian auth0 aviationstack aws axonaut azure backblaze bamboo beamer bitbucket bitfinex bitly bittrex blockchain box braintree brandfetch browserstack bugsnag buildkite bybit calendarific calendly cannyio censys chargebee chartmogul checkout circleci clarifai clearbit clickhouse clickup cloudant cloudflare cloudinary cloudsmith codacy codeclimate codecov codemagic cohere coinapi coinbase coinlayer coinmarketcap confluent contentful convertkit courier coveralls crowdin crowdstrike currencylayer customerio dailymotion databricks datadog datagov deepgram deepl deepseek delighted dialogflow digicert digitalocean discord discourse docker dockerhub documo docusign doppler dotdigital droneci dropbox dwolla dynatrace easypost ebay elastic elevenlabs etherscan etsy eventbrite exchangerate fastly fastspring figma finnhub firebase fixerio flickr flightstats flutterwave foursquare freshbooks freshdesk freshservice fullstory fusebill gemini geoapify geocode geocodio getresponse ghost giphy gitea github gitlab gitter gocardless godaddy grafana groq guardian harness helpscout hereapi heroku hetzner honeybadger honeycomb hubspot huggingface hunter ibm imgbb imgur infura instagram intercom invoiceninja ipapi ipdata ipgeolocation ipinfo ipstack iterable jenkins jfrog jira jotform kaggle keen kickbox klarna klaviyo kraken kucoin last.fm lastfm launchdarkly linear linkedin linode liveagent livestorm lob locationiq logdna loggly logzio lokalise loop mailchimp mailerlite mailgun mailjet mailtrap mandrill mapbox mapquest marketstack mattermost maxmind mediastack meraki messagebird metaapi mistral mixpanel monday moonclerk moralis mux nasa netlify neutrino newrelic newsapi nexmo nftport ngrok notion nvidia nylas nytimes okta onedesk onelogin onesignal openai opencage opengraphr openuv openweather openweathermap opsgenie optimizely pagerduty pandadoc partnerstack passbase pastebin paymo paypal paystack pdflayer perplexity pinata pinecone pipedream pipedrive pivotaltracker pixabay plaid planetscale planviewleankit plivo poloniex postageapp posthog postman postmark powerbi prefect purestake pusher qualaroo quickbase rapid7 rapidapi rawg razorpay readme rebrandly recaptcha redshift replicate rev riot ripe rollbar rubygems runpod salesforce saucelabs scaleway scraperapi scrapingbee scrapestack screenshotapi securitytrails segment sendbird sendgrid sendinblue sentry serpapi servicenow sevdesk shippo shodan shopify shortcut signalwire signaturit simplesat slack smartsheet snipcart snyk sonarcloud sonarqube sourcegraph sparkpost splunk spoonacular spotify square squarespace squareup stability statuspage storyblok strava stripe stytch sugester sumologic supabase surveymonkey swell tatum teamwork telegram telnyx terraform textmagic thousandeyes ticketmaster tiktok timezoneapi tmdb todoist together tomtom trello travisci travis tumblr twelvedata twilio twitch twitter typeform uberduck unplugg unsplash upcdatabase uplead uploadcare upstash uptimerobot userstack vercel verimail virustotal visualcrossing voicegain vonage vultr wakatime watson weatherapi weatherbit weatherstack webex webflow wepay whoxy wit woocommerce workos worldcoinindex worldweather wrike xero yandex yelp youtube zapier zendesk zenrows zenscrape zerobounce zeplin zipcodeapi zoho zoom zulip",
);

export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d\u00c0-\u017f]+/)
    .filter(Boolean);

function keyPromise(words: readonly string[], at: number): Kept | undefined {
  const others = words.filter((_word, index) => index !== at);
  if (others.some((word) => publicKinds.has(word))) return undefined;
  return others.some((word) => keyKinds.has(word) || vendors.has(word)) ? "key" : "weak";
}

export interface Promised {
  kept: Kept;
  /** The name of a service is part of it. */
  vendor: boolean;
  /** npm's registries once gave UUIDs for tokens. */
  mayBeUuid: boolean;
}

/** Undefined: nothing that would be kept from others. */
export function promiseOf(name: string): Promised | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && (trailing.has(words.at(-1) ?? "") || /^v?\d+$/.test(words.at(-1) ?? ""))) words.pop();
  const vendor = words.some((word) => vendors.has(word));
  const last = words.at(-1) ?? "";
  if (asides.has(last)) return undefined;
  const kept = promiseOfWords(words) ?? (vendor ? "vendor" : undefined);
  return kept && { kept, vendor, mayBeUuid: name === "_authToken" || (vendor && kept !== "vendor") };
}

function promiseOfWords(words: readonly string[]): Kept | undefined {
  const tail = words.slice(-3);
  const last = words.at(-1) ?? "";
  if (tail.some((word) => passwords.has(word)) && words.every((word) => !/^(?:re|bypass|compass)$/.test(word)))
    return "password";
  const keyAt = tail.findIndex((word) => word === "key" || word === "keys");
  if (keyAt >= 0) return keyPromise(words, words.length - tail.length + keyAt);
  if (tail.some((word) => wholeKeys.has(word) || /^[a-z\d]{0,12}(?:api|access|secret|private)keys?$/.test(word)))
    return "key";
  if (tail.some((word) => secrets.has(word) || /^[a-z]{2,12}secret$/.test(word))) return "secret";
  if (tail.some((word) => tokens.has(word) || /^[a-z]{2,14}token$/.test(word))) return "token";
  if (tail.some((word) => /^[a-z\d]{2,12}(?:password|passwd|passwort)$/.test(word))) return "password";
  if (last === "pat" && words.some((word) => vendors.has(word))) return "token";
  return weak.has(last) ? "weak" : undefined;
}

export const nameTriggers: readonly string[] = [
  "passw",
  "passp",
  "passcode",
  "pass",
  "pwd",
  "psw",
  "kennwort",
  "wachtwoord",
  "senha",
  "contrase",
  "clave",
  "mdp",
  "secret",
  "cred",
  "token",
  "jwt",
  "bearer",
  "auth",
  "key",
  "oauth",
  "salt",
  "seed",
  "_pat",
];
