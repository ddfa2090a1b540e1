// A server that has what the official suite asks of a server's tools, prompts and resources. fettle passes it on: the suite
// speaks to fettle alone, over HTTP, and what it tests is fettle's own side of the protocol.
import { inputRequired, ProtocolError, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { setTimeout as sleep } from "node:timers/promises";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (said) => ({ type: "text", text: said });
const image = { type: "image", data: png, mimeType: "image/png" };
const embedded = (uri, mimeType, said) => ({ type: "resource", resource: { uri, mimeType, text: said } });
const said = (...content) => ({ content });

const form = (message, properties) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties).slice(0, 2) },
  });
const name = form("What is your name?", { name: { type: "string" } });
const confirm = form("Please confirm", { ok: { type: "boolean" } });
const sampling = (prompt, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: "user", content: text(prompt) }], maxTokens });

/** Asks until each of these is answered. */
function asking(inputRequests, then, requestState) {
  return (_given, { mcpReq }) => {
    const answers = mcpReq.inputResponses ?? {};
    const missing = Object.keys(inputRequests).some((key) => answers[key] === undefined);
    if (missing) return inputRequired({ inputRequests, ...(requestState && { requestState }) });
    return then(answers, mcpReq.requestState());
  };
}

const choice = (value, title) => ({ const: value, title });
const plain = ["option1", "option2", "option3"];
const titled = [choice("value1", "First Option"), choice("value2", "Second Option"), choice("value3", "Third Option")];

const elicited = (properties) => ({
  call: asking(
    { answer: inputRequired.elicit({ message: "Please fill it in", requestedSchema: { type: "object", properties } }) },
    ({ answer }) =>
      said(text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)),
  ),
});

const strings = (...names) => ({
  type: "object",
  properties: Object.fromEntries(names.map((each) => [each, { type: "string" }])),
  required: names,
});

const tools = {
  test_simple_text: { call: () => said(text("This is a simple text response for testing.")) },
  test_image_content: { call: () => said(image) },
  test_audio_content: { call: () => said({ type: "audio", data: wav, mimeType: "audio/wav" }) },
  test_embedded_resource: {
    call: () => said(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
  },
  test_multiple_content_types: {
    call: () =>
      said(
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ),
  },
  test_tool_with_logging: {
    async call(_given, { mcpReq }) {
      for (const step of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", step);
        await sleep(50);
      }
      return said(text("logged"));
    },
  },
  test_logging_tool: {
    async call(_given, { mcpReq }) {
      await mcpReq.log("info", "said while it runs");
      return said(text("logged"));
    },
  },
  test_error_handling: {
    call: () => ({ ...said(text("This tool intentionally returns an error for testing")), isError: true }),
  },
  test_tool_with_progress: {
    async call(_given, { mcpReq }) {
      const { progressToken } = mcpReq._meta ?? {};
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await sleep(50);
      }
      return said(text("done"));
    },
  },
  test_sampling: {
    inputSchema: strings("prompt"),
    call: (given, context) =>
      asking({ sampled: sampling(given.prompt) }, ({ sampled }) => said(text(`LLM response: ${sampled.content.text}`)))(
        given,
        context,
      ),
  },
  test_elicitation: {
    inputSchema: strings("message"),
    call(given, context) {
      const fields = {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      };
      return asking({ answer: form(given.message, fields) }, ({ answer }) =>
        said(text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`)),
      )(given, context);
    },
  },
  test_elicitation_sep1034_defaults: elicited({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: elicited({
    untitledSingle: { type: "string", enum: plain },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: plain } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  }),
  json_schema_2020_12_tool: {
    inputSchema: {
      ...{ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
      $defs: {
        address: {
          ...{ $anchor: "addressDef", type: "object" },
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      ...Object.fromEntries([["then", { required: ["phone"] }]]),
      else: { required: ["email"] },
      additionalProperties: false,
    },
    call: () => said(text("taken")),
  },
  test_streaming_elicitation: { call: asking({ name }, () => said(text("done"))) },
  test_missing_capability: { call: asking({ sampled: sampling("?") }, () => said(text("done"))) },
  test_trigger_tool_change: { call: (_given, _context, server) => changed(server.sendToolListChanged()) },
  test_trigger_prompt_change: { call: (_given, _context, server) => changed(server.sendPromptListChanged()) },
  test_input_required_result_elicitation: {
    call: asking({ user_name: name }, ({ user_name: answer }) => said(text(`Hello, ${answer.content?.name}!`))),
  },
  test_input_required_result_sampling: {
    call: asking({ capital_question: sampling("What is the capital of France?") }, (answers) =>
      said(text(answers.capital_question.content.text)),
    ),
  },
  test_input_required_result_list_roots: {
    call: asking({ client_roots: inputRequired.listRoots() }, ({ client_roots: { roots } }) =>
      said(text(roots.map(({ uri }) => uri).join(", "))),
    ),
  },
  test_input_required_result_request_state: {
    call: asking(
      { confirm },
      (_answers, state) => checked(state, "confirmed", () => said(text("state-ok"))),
      "confirmed",
    ),
  },
  test_input_required_result_tampered_state: {
    call: asking({ confirm }, (_answers, state) => checked(state, "whole", () => said(text("state-ok"))), "whole"),
  },
  test_input_required_result_multiple_inputs: {
    call: asking(
      { user_name: name, greeting: sampling("Generate a greeting", 50), client_roots: inputRequired.listRoots() },
      () => said(text("all answered")),
      "several",
    ),
  },
  test_input_required_result_multi_round: {
    call(_given, { mcpReq }) {
      const state = mcpReq.requestState();
      const { step1, step2 } = mcpReq.inputResponses ?? {};
      if (state === "round-2" && step2) return said(text(`Your favourite is ${step2.content?.color}.`));
      if (state === "round-1" && step1)
        return inputRequired({
          inputRequests: { step2: form("Step 2: What is your favorite color?", { color: { type: "string" } }) },
          requestState: "round-2",
        });
      return inputRequired({
        inputRequests: { step1: form("Step 1: What is your name?", { name: { type: "string" } }) },
        requestState: "round-1",
      });
    },
  },
  test_input_required_result_capabilities: {
    call(_given, { mcpReq }) {
      const can = mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
      const wanted = {
        ...(can.elicitation && { user_name: name }),
        ...(can.sampling && { greeting: sampling("Generate a greeting", 50) }),
      };
      return asking(wanted, () => said(text("done")))(_given, { mcpReq });
    },
  },
};

async function changed(told) {
  await told;
  return said(text("changed"));
}

function checked(state, wanted, then) {
  if (state !== wanted) throw new ProtocolError(-32602, "This state is not the server's.");
  return then();
}

const user = (content) => ({ role: "user", content });
const prompts = {
  test_simple_prompt: { get: () => [user(text("This is a simple prompt for testing."))] },
  test_prompt_with_arguments: {
    names: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    names: ["resourceUri"],
    get: ({ resourceUri }) => [
      user(embedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
      user(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: { get: () => [user(image), user(text("Please analyze the image above."))] },
};

const context = form("What context should the prompt use?", { context: { type: "string" } });

const resources = [
  { uri: "test://static-text", mimeType: "text/plain", text: "This is the content of the static text resource." },
  { uri: "test://static-binary", mimeType: "image/png", blob: png },
  { uri: "test://watched-resource", mimeType: "text/plain", text: "Watched." },
];
const pattern = /^test:\/\/template\/([^/]+)\/data$/;

function read({ params: { uri } }) {
  const [, id] = pattern.exec(uri) ?? [];
  const filled = { id, templateTest: true, data: `Data for ID: ${id}` };
  if (id) return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(filled) }] };
  const found = resources.find((each) => each.uri === uri);
  if (!found) throw new ResourceNotFoundError(uri);
  return { contents: [found] };
}

function fixture() {
  const changes = { listChanged: true };
  const server = new Server(
    { name: "conformance-fixture", version: "1" },
    {
      capabilities: {
        ...{ tools: changes, prompts: changes, resources: { ...changes, subscribe: true } },
        ...{ completions: {}, logging: {} },
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([each, { inputSchema = { type: "object", properties: {} } }]) => ({
      ...{ name: each, description: `What the suite asks for as ${each}.`, inputSchema },
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
    if (!tool) throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
    return tool.call(params.arguments ?? {}, context, server);
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [
      ...Object.entries(prompts).map(([each, { names = [] }]) => ({
        ...{ name: each, description: `The suite's ${each}.` },
        arguments: names.map((argument) => ({ name: argument, description: "an argument", required: true })),
      })),
      { name: "test_input_required_result_prompt", description: "It asks for something first." },
    ],
  }));
  server.setRequestHandler("prompts/get", ({ params }, given) => {
    if (params.name === "test_input_required_result_prompt")
      return asking({ user_context: context }, () => ({ messages: [user(text("In that context."))] }))({}, given);
    const prompt = Object.hasOwn(prompts, params.name) ? prompts[params.name] : undefined;
    if (!prompt) throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
    return { messages: prompt.get(params.arguments ?? {}) };
  });
  server.setRequestHandler("resources/list", () => ({
    resources: resources.map(({ uri, mimeType }) => ({ uri, mimeType, name: uri, description: `The suite's ${uri}.` })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", description: "By an id." }],
  }));
  server.setRequestHandler("resources/read", read);
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.setRequestHandler("completion/complete", ({ params: { argument } }) => {
    const values = ["paris", "park", "party"].filter((each) => each.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}

serveStdio(fixture);
