export interface DockerOptions {
  /** Where the daemon is reached from inside the sandbox. */
  host: string;
  port: number;
  /** Top of what images are built from; absent where nothing is built. */
  workspace?: string;
}
