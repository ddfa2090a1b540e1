// What the server's surface needs of the machine and of the command line.
import type { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { ApprovalRequest } from "../../protocol/approval.ts";
import type { Client } from "../../protocol/client.ts";
import type { Result } from "../../protocol/result.ts";

type Streams = ConstructorParameters<typeof StdioServerTransport>;

/** Servers of the person that are passed on. `alone`: one, in its own names, without fettle's own tools. */
export interface Passing {
  servers: readonly string[];
  alone: boolean;
}

export interface ServerHost {
  version: string;
  passing?: Passing;
  /** A line for standard error: standard output belongs to the protocol. */
  log(line: string): void;
  words: {
    card(request: ApprovalRequest): readonly string[];
    result(result: Result): string;
    /** What is asked for under the card. */
    answer: string;
    /** Why a call was denied that nobody could be asked about. */
    cannotAsk: string;
    declined: string;
    /** The question that is answered is not open any more. */
    closed: string;
  };
}

/** One client, which speaks over streams. */
export interface StreamHost extends ServerHost {
  client: Client;
  input: NonNullable<Streams[0]>;
  output: NonNullable<Streams[1]>;
}

/** Many clients, which send web requests. */
export interface WebHost extends ServerHost {
  seats: readonly Seat[];
}

/** Whom the clients with one token act as. */
export interface Seat {
  token: string;
  /** Another session of theirs. */
  open(): Promise<Client>;
}
