export interface FetchReply {
  url: string;
  status: number;
  contentType: string;
  /** Decoded text, at most the client's size limit. */
  text: string;
  truncated: boolean;
}
