/** How long one waits for a cluster, in milliseconds. Whoever waited in vain goes on without its answer. */
export const waits = {
  /** One call, with all of its repetitions, where it says nothing else. */
  call: 5000,
  /** One page of a list into memory. */
  page: 15_000,
  /** The metrics server, which may ask every node. */
  metrics: 10_000,
  /** A container that starts just now makes the API server wait for its log. */
  containerLog: 10_000,
  /** The kubelet runs journalctl for it. */
  hostLog: 15_000,
  /** A page or a list, for rows that are not in memory yet; it then says that they are loading. */
  rows: 1500,
  /** A figure beside others, for the same. */
  figure: 1000,
  /** A round of what looks after stacks, and who opens a terminal or a log, for the same. */
  round: 5000,
  /** What hosts use, beside a list of them. */
  usage: 1500,
  /** All that one look at a cluster's health asks; the cluster that needs longer is not well. */
  health: 15_000,
  /** All objects of a dry run together, while somebody looks at a preview. */
  preview: 5000,
  /** All that one sampling asks. */
  sample: 20_000,
  /** All that one round of a drain asks. */
  drain: 20_000,
}
