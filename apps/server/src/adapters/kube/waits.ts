/** Limits of waits for a cluster, in milliseconds. After them the caller continues without its answer. */
export const waits = {
  /** One call, including its retries, unless another limit is given. */
  call: 5000,
  /** One page of a list into memory. */
  page: 15_000,
  /** The metrics server, which may ask every node. */
  metrics: 10_000,
  /** The API server delays the log of a container that is just starting. */
  containerLog: 10_000,
  /** The kubelet runs journalctl for a host's log. */
  hostLog: 15_000,
  /** A page or a list whose rows are not in memory yet; after this it shows that they are loading. */
  rows: 1500,
  /** A figure beside others whose rows are not in memory yet. */
  figure: 1000,
  /** A reconciler's round, or opening a terminal or a log, while rows are not in memory yet. */
  round: 5000,
  /** The present usage of hosts, for a list of them. */
  usage: 1500,
  /** All calls of one health check; a cluster that needs longer is unhealthy. */
  health: 15_000,
  /** All objects of a dry run together, while a user waits for a preview. */
  preview: 5000,
  /** All calls of one sampling round. */
  sample: 20_000,
  /** All calls of one round of a drain. */
  drain: 20_000,
}
