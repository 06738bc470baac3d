/** Milliseconds of CPU that this process uses while something is done. A busy machine makes it wait, and not work more. */
export async function ownCpu(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
