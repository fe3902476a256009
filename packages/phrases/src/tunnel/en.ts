/** The agent that dials out of a cluster. */
export const en = {
  'tunnel-agent-away':
    'No agent of the cluster {server} is connected to this server, since {since}. See that its manifest is applied in the cluster, that the deployment gantry-agent in the namespace gantry-system runs, and what its log says',
  'tunnel-token-over':
    'This token of a cluster’s agent is not, or no longer, valid. Take a new manifest of the cluster and apply it there',
  'tunnel-other-way':
    'The cluster {name} is reached by its address and not by an agent. Choose the agent as its way in first',
  'tunnel-file-missing': 'The program of the agent is not built. npm start builds it; start the server with it',
  'tunnel-two-clusters':
    'The agent of another cluster dials out with this cluster’s manifest and is refused. Delete its namespace gantry-system in the cluster that is not meant; if that is the one connected now, take a new manifest and apply it in the right one',
} as const
