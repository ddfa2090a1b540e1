/** Milliseconds of processor time that this process has spent since: what else runs on the machine is not in it. */
export function cpuClock(): () => number {
  const from = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  };
}
