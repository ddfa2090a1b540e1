// The Agent Client Protocol over two streams: which request goes where.
import { agent, MessageTooLargeError, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { Editor } from "./editor.ts";
import type { EditorHost } from "./editor-host.ts";
import { requestError, sentenceOf } from "./request-errors.ts";

/** Whatever goes wrong reaches the editor as a sentence. */
async function answered<T>(session: string | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw requestError(error, session);
  }
}

/** Resolves when the editor is gone and all its sessions are closed. `end`: it is to go now. */
export async function serveEditor(host: EditorHost, end: AbortSignal): Promise<{ problem?: string }> {
  const editor = new Editor(host);
  const own = methods.agent;
  const app = agent({ name: "fettle" })
    .onRequest(own.initialize, ({ params, client }) => {
      editor.connect(client);
      return editor.initialize(params);
    })
    .onRequest(own.authenticate, () => answered(undefined, () => editor.authenticate()))
    .onRequest(own.session.new, ({ params }) => answered(undefined, () => editor.begin(params.cwd, params.mcpServers)))
    .onRequest(own.session.load, ({ params }) => {
      const { sessionId, cwd, mcpServers: servers } = params;
      return answered(sessionId, () => editor.load(sessionId, cwd, { replay: true, servers }));
    })
    .onRequest(own.session.resume, ({ params }) => {
      const { sessionId, cwd, mcpServers: servers = [] } = params;
      return answered(sessionId, () => editor.load(sessionId, cwd, { replay: false, servers }));
    })
    .onRequest(own.session.list, ({ params }) => answered(undefined, () => editor.list(params)))
    .onRequest(own.session.delete, ({ params: { sessionId } }) => answered(sessionId, () => editor.delete(sessionId)))
    .onRequest(own.session.close, ({ params: { sessionId } }) =>
      answered(sessionId, () => editor.closeSession(sessionId)),
    )
    .onRequest(own.session.setMode, ({ params: { sessionId, modeId } }) =>
      answered(sessionId, () => editor.setMode(sessionId, modeId)),
    )
    .onRequest(own.session.setConfigOption, ({ params: { sessionId, configId, value } }) =>
      answered(sessionId, async () => ({ configOptions: await editor.setOption(sessionId, configId, value) })),
    )
    .onRequest(own.session.prompt, ({ params: { sessionId, prompt }, signal }) =>
      answered(sessionId, () => editor.session(sessionId).prompt(prompt, signal)),
    )
    .onNotification(own.session.cancel, async ({ params: { sessionId } }) => {
      await editor.session(sessionId).cancel();
    });
  const connection = app.connect(ndJsonStream(host.output, host.input));
  const leave = () => connection.close();
  end.addEventListener("abort", leave, { once: true });
  await connection.closed;
  await editor.close();
  const { reason } = connection.signal as { reason: unknown };
  if (reason instanceof MessageTooLargeError || reason instanceof RequestError) return { problem: sentenceOf(reason) };
  return {};
}
