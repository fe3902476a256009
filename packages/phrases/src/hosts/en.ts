/** Hosts of clusters: what is refused, what a drain waits for, what the script that joins a host says. */
export const en = {
  'hosts-uncounted':
    'No more pods fit into this server’s memory beside those that are looked at. Choose this cluster alone to see its figures.',
  'hosts-missing': 'The cluster has no host named {host}. It may have been taken out',
  'hosts-controller':
    'The host {host} runs the cluster’s control plane or this product, so it stays in service: it cannot be cordoned, kept for a team, put in maintenance or taken out',
  'hosts-own-key':
    'The key {key} belongs to the cluster or to the product, and says what is. Choose a key of your own domain',
  'hosts-taint-twice': 'Two taints have the same key and effect. Keep one of them',
  'hosts-in-maintenance': 'The host {host} is in maintenance. End the maintenance, which lets pods start there again',
  'hosts-team-not-here': 'The team {team} does not use this cluster. Assign the cluster to it first',
  'hosts-windows-ingress': 'The host {host} runs Windows, which takes no ingress traffic. Choose a Linux host',
  'hosts-in-use':
    'Pods of stacks run on the host {host} ({count}): {pods}. Put it in maintenance first, so that they move to other hosts',
  'hosts-drain-budget': 'Its disruption budget forbids it for now: {reason}',
  'hosts-drain-refused': 'The cluster refuses to evict it: {reason}',
  'hosts-drain-alone':
    'Nothing would start it on another host: it has no controller. Delete it in the cluster when it may go',
  'hosts-drain-ending': 'It was told to end and is ending',
  'hosts-drain-gone': 'The host was taken out of the cluster meanwhile',
  'hosts-drain-uncordoned': 'Somebody let pods start on the host again, which ended the maintenance',
  'hosts-log-off':
    'The kubelet of {host} does not offer its logs. Set enableSystemLogQuery: true in its configuration, with the feature gate NodeLogQuery, and restart it',
  'hosts-log-away':
    'The kubelet of {host} does not answer, so nobody can read its log from here. Look at the host’s conditions, or sign in to it',
  'hosts-log-far': 'Pages reach back {most} lines. Choose an earlier end of the time range to see older ones',
  'hosts-script-windows':
    'A Windows host is not joined by this script. Join it with kubeadm by hand, as the manual of Kubernetes says; it is listed here then',
  'hosts-script-other-maker':
    'kubeadm did not make the cluster {name}: it has no ConfigMap cluster-info in the namespace kube-public. Add hosts with the tool that made it; they then show here',
  'hosts-script-no-authority':
    'The cluster tells no authority by which a new host could know it. Add the cluster with its CA certificate',
  'hosts-script-root': 'Run this script as root.',
  'hosts-script-kubeadm': 'kubeadm is not installed. Install kubeadm, kubelet and a container runtime first.',
  'hosts-script-joining': 'Joining the cluster {name} …',
  'hosts-script-joined': 'This host has joined the cluster {name}.',
} as const
