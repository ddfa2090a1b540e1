/** Counts the surfaces that show what is asked; while there is none, the clocks of approvals stand still. */
export class Presence {
  #surfaces = 0;

  /** The function that comes back disconnects, once. */
  connect(): () => void {
    this.#surfaces += 1;
    let connected = true;
    return () => {
      if (connected) this.#surfaces -= 1;
      connected = false;
    };
  }

  get connected(): boolean {
    return this.#surfaces > 0;
  }
}
