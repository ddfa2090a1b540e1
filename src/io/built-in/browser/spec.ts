export interface BrowserOptions {
  /** Chromium, with its full path. */
  program: string;
  /** Where pictures are kept that pages are compared with; absent: nowhere. */
  pictures?: string;
}
