// What each wire demands of a conversation, as its documentation says; the first breach in words.
type Body = Record<string, unknown>;
interface Block {
  type?: string;
  id?: string;
  tool_use_id?: string;
  text?: string;
  signature?: string;
  functionCall?: object;
  functionResponse?: object;
  call_id?: string;
}
interface Entry extends Block {
  role?: string;
  content?: string | Block[] | null;
  parts?: Block[];
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

const same = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

function anthropic(body: Body): string | undefined {
  const messages = body["messages"] as Entry[];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = content as Block[];
    if (role !== (at % 2 === 0 ? "user" : "assistant")) return `message ${at} is of the ${role}`;
    if (blocks.length === 0 || blocks.some(({ type, text }) => type === "text" && !text))
      return `message ${at} has an empty block`;
    const used = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
    const next = (messages[at + 1]?.content ?? []) as Block[];
    const answered = next.flatMap(({ type, tool_use_id: id }) => (type === "tool_result" ? [id] : []));
    if (role === "assistant" && !same(used, answered))
      return `uses ${used.join()} at ${at} are answered by ${answered.join()}`;
    const lastResult = blocks.findLastIndex(({ type }) => type === "tool_result");
    if (lastResult >= 0 && blocks.slice(0, lastResult).some(({ type }) => type !== "tool_result"))
      return `results at ${at} do not stand first`;
    if (blocks.some(({ type, signature }) => type === "thinking" && !signature))
      return `thinking at ${at} is not signed`;
  }
  return (JSON.stringify(body).match(/"cache_control"/g) ?? []).length > 4 ? "more than four cache marks" : undefined;
}

function chat(body: Body): string | undefined {
  const messages = body["messages"] as Entry[];
  for (let at = 0; at < messages.length; at += 1) {
    const { role, tool_calls: calls = [], content } = messages[at] as Entry;
    if (role === "tool") return `the result at ${at} answers nothing`;
    if (role === "assistant" && calls.length === 0 && !content) return `the answer at ${at} is empty`;
    for (const { id } of calls) {
      at += 1;
      const next = messages[at];
      if (next?.role !== "tool" || next.tool_call_id !== id) return `call ${id} is not answered next`;
    }
  }
  return undefined;
}

function responses(body: Body): string | undefined {
  const items = body["input"] as Entry[];
  const open: string[] = [];
  for (const { type, role, call_id: id = "" } of items) {
    if (type === "function_call") open.push(id);
    else if (type === "function_call_output") {
      if (open.shift() !== id) return `an output of ${id} comes out of turn`;
    } else if (role === "user" && open.length > 0) return `calls ${open.join()} have no output`;
  }
  return open.length > 0 ? `calls ${open.join()} have no output` : undefined;
}

function google(body: Body): string | undefined {
  const contents = body["contents"] as Entry[];
  for (const [at, { role, parts = [] }] of contents.entries()) {
    if (parts.length === 0) return `content ${at} is empty`;
    const calls = parts.filter(({ functionCall }) => functionCall).length;
    const answers = (contents[at + 1]?.parts ?? []).filter(({ functionResponse }) => functionResponse).length;
    if (role === "model" && calls !== answers) return `${calls} calls at ${at} have ${answers} responses`;
  }
  return contents[0]?.role === "user" ? undefined : "it does not begin with the user";
}

function ollama(body: Body): string | undefined {
  const messages = body["messages"] as Entry[];
  for (let at = 0; at < messages.length; at += 1) {
    const { role, tool_calls: calls = [] } = messages[at] as Entry;
    if (role === "tool") return `the result at ${at} answers nothing`;
    for (const { id } of calls) {
      at += 1;
      const next = messages[at];
      if (next?.role !== "tool" || next.tool_call_id !== id) return `call ${id} is not answered next`;
    }
  }
  return undefined;
}

export const wrongOnWire = { anthropic, openai: responses, google, "openai-compatible": chat, ollama };
