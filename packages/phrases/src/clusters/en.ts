/** Clusters, which the specification calls environments, and how they are connected. */
export const en = {
  // Refusals
  'clusters-name-taken': 'A cluster named {name} already exists. Choose another name.',
  'clusters-joined-already':
    'This cluster has already been added as {name}. Assign {name} to the teams instead, or delete it first and add the cluster again.',
  'clusters-joined-already-plain':
    'This cluster has already been added under another name. Ask an administrator to assign it to your team.',
  'clusters-joined-twice':
    'This is the same cluster as {name}: it was added twice. Both entries keep working, each with its own namespaces. Delete one of them once it has no stacks.',
  'clusters-another-answers':
    'A different cluster than the one added now answers at the address of {name}: the cluster was rebuilt, or the address points elsewhere. Nothing is read or written there until an administrator accepts the new cluster on its page, or corrects the address.',
  'clusters-another-answers-plain':
    'A different cluster answers in place of this one. Nothing is read or written there until an administrator confirms the change.',
  'clusters-answers-changed':
    'The cluster that answers for {name} has changed again since you opened this page. Reload the page and check what it shows now.',
  'clusters-in-use': 'The cluster {name} still has stacks: {stacks}. Delete them first.',
  'clusters-sandbox-kept':
    'The sandbox is part of the platform and cannot be deleted. To run without it, start the server with GANTRY_SANDBOX=off.',
  'clusters-rights-missing':
    'The credentials lack permissions in the cluster: {rights}. Grant them to this account, or use another one.',
  'clusters-shared':
    'Several teams use this cluster, so only an administrator can change its hosts, storage, OpenStack connections and zones. Ask an administrator, or request a cluster for your team alone.',
  'clusters-one-way': 'Choose exactly one connection method: a kubeconfig, a server with its token, or the agent',
  'clusters-ca-invalid':
    'The CA certificate cannot be read. It must be in PEM format: from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
  'clusters-credentials-refused':
    'The cluster {server} rejects these credentials: the token or the client certificate has expired, or belongs to another cluster. Create a new one.',
  'clusters-sealed':
    'The stored credentials of the cluster {name} cannot be decrypted, because GANTRY_SECRET_KEY is not the key that they were encrypted with. Start the server with that key, or enter the credentials of the cluster again.',
  'clusters-health-unreachable': 'The cluster is not responding. Administrators can see the reason.',
  'clusters-health-credentials':
    'The cluster rejects the stored credentials, or they lack a permission there. An administrator can see the reason.',
  'clusters-right-identity': 'Identifying the cluster, so that it is not added twice',
  'clusters-right-stacks': 'Stacks: their namespaces, quotas and network policies',
  'clusters-right-teams': 'Team isolation: roles in the teams’ namespaces, and acting as their members',
  'clusters-right-services': 'Services: workloads, addresses, configuration and secrets',
  'clusters-right-running': 'What is running: pods, logs, terminals, events, hosts',
  'clusters-right-charts': 'Helm charts: what they have besides services',
  'clusters-right-outward': 'Addresses outside of the cluster, load balancers and ingresses of stacks',
  'clusters-right-workloads': 'Services that are no Deployment or StatefulSet, their claims and disruption budgets',
  'clusters-right-usage': 'Current resource usage of hosts and pods',
  'clusters-right-hosts': 'Hosts: cordoning, labels, taints, dedicated hosts',
  'clusters-right-drain': 'Host maintenance: evicting pods within their disruption budgets',
  'clusters-right-host-delete': 'Removing hosts from the cluster',
  'clusters-right-host-logs': 'Host logs',
  'clusters-right-storage': 'Volumes, claims and storage drivers',
  'clusters-right-kubeconfigs': 'Kubeconfigs for the namespaces of stacks',
  'clusters-right-logs': 'Collectors of logs',
  'clusters-right-ingress': 'Ingress groups and rules',

  // Problems of a cluster or a kubeconfig: {server} is the host and port of its API server
  'kube-config-too-large': 'The kubeconfig is larger than {limit}. Paste only the context that you need.',
  'kube-config-too-long': 'The kubeconfig has too many entries. Paste only the context that you need.',
  'kube-config-not-yaml':
    'Line {line} of the kubeconfig is not valid YAML. Paste the output of “kubectl config view --raw --flatten” unchanged.',
  'kube-config-yaml-indent':
    'The kubeconfig is not indented correctly at line {line}. Entries of one level begin in the same column, with spaces and no tabs. Paste the file again without changing its indentation.',
  'kube-config-yaml-unclosed':
    'The kubeconfig is not valid YAML: at line {line} a closing quotation mark, bracket or brace is missing. Paste the whole file again.',
  'kube-config-yaml-twice':
    'The kubeconfig contains the same key twice on one level, the second time in line {line}. Remove one of them.',
  'kube-config-yaml-documents':
    'The kubeconfig contains several documents, separated by “---” (line {line}). Paste only one of them.',
  'kube-config-yaml-alias':
    'The kubeconfig uses a YAML alias (“*”, line {line}) that refers to nothing, or that repeats too much. Write out the value instead.',
  'kube-config-shape':
    'This is not a kubeconfig: “{field}” is missing or malformed. Paste the output of “kubectl config view --raw --flatten”.',
  'kube-config-no-context': 'The kubeconfig has no context. Create one with “kubectl config set-context”.',
  'kube-config-choose-context': 'The kubeconfig has several contexts. Choose one of: {names}',
  'kube-config-unknown-context': 'The kubeconfig has no context “{name}”. Its contexts are: {names}',
  'kube-config-dangling': 'The context “{context}” refers to the {thing} “{name}”, which is not in the kubeconfig',
  'kube-config-server-invalid':
    '“{server}” is not a valid address of an API server. It should look like https://cluster.example.com:6443.',
  'kube-config-server-plain':
    'The connection to the API server {server} is not encrypted, so credentials would be sent in plain text. Use its https address.',
  'kube-config-server-name':
    'The kubeconfig’s tls-server-name is an IP address ({name}). Use a host name from the server’s certificate, or leave tls-server-name out if the certificate contains the address itself.',
  'kube-config-exec':
    'The kubeconfig runs a program (“{command}”) to get its credentials, which is not allowed on a server. Create a service account and use its token instead.',
  'kube-config-auth-provider':
    'The kubeconfig uses the auth provider “{name}”, which is not supported. Create a service account and use its token instead.',
  'kube-config-file':
    'The kubeconfig refers to a file (“{field}”) that only exists on the machine where it was created. Export it with “kubectl config view --raw --flatten”.',
  'kube-config-insecure':
    'The kubeconfig turns off the verification of the server’s certificate (insecure-skip-tls-verify). Provide the cluster’s CA in certificate-authority-data instead.',
  'kube-config-proxy':
    'The kubeconfig uses a proxy (proxy-url), which is not supported. Outgoing proxies are configured by an administrator.',
  'kube-config-impersonation':
    'The kubeconfig impersonates another user (“as”), which is not supported. Use that user’s own credentials.',
  'kube-config-no-credentials':
    'The kubeconfig’s user “{name}” has no credentials. Provide a token, or a client certificate with its key.',
  'kube-config-password':
    'The kubeconfig’s user “{name}” signs in with a username and password, which Kubernetes has not accepted since version 1.19. Create a service account and use its token instead.',
  'kube-config-token-invalid': 'The token contains invalid characters. Paste it again, without line breaks.',
  'kube-config-ca-invalid':
    'The CA certificate (certificate-authority-data) cannot be read. It must be PEM, encoded as base64.',
  'kube-config-certificate-invalid':
    'The client certificate or its key cannot be read. Both must be PEM, encoded as base64, and the key must not have a password.',
  'kube-config-key-mismatch': 'The client certificate and its key do not match',
  'kube-config-certificate-expired': 'The client certificate is only valid from {from} to {to}. Create a new one.',
  'kube-config-certificate-weak':
    'The client certificate is too weak for TLS. Create a new one with a stronger key (RSA of at least 2048 bits, or ECDSA), signed with SHA-256.',
  'kube-refused':
    'The cluster’s API server {server} refused the connection. Check that it is running and that no firewall blocks the connection.',
  'kube-reset':
    'The cluster’s API server {server} closed the connection. Try again. If the problem persists, check the cluster’s control plane.',
  'kube-timeout':
    'The cluster’s API server {server} did not answer in time. Try again. If the problem persists, check its load and the network.',
  'kube-dns':
    'The host name of the cluster’s API server {server} cannot be resolved. Check the address of the cluster.',
  'kube-tls':
    'A secure connection (TLS) to the cluster’s API server {server} could not be established. Check the TLS versions and ciphers that it supports, and the client certificate of the credentials, if there is one.',
  'kube-tls-untrusted':
    'The certificate of the cluster’s API server {server} was not issued by a trusted CA. Provide the cluster’s CA: in a kubeconfig as certificate-authority-data, for a token as CA certificate.',
  'kube-tls-expired':
    'The certificate of the cluster’s API server {server} has expired or is not valid yet. Renew it in the cluster, or correct its clock.',
  'kube-tls-name':
    'The certificate of the cluster’s API server was issued for other names than {server}. Use an address in the certificate, or give a name in it as tls-server-name in the kubeconfig.',
  'kube-tls-missing':
    'The server at {server} answers in plain http, not https. Check the port: the API server’s https port is usually 6443.',
  'kube-tls-required': 'The server at {server} only accepts https. Begin its address with https:// instead of http://.',
  'kube-blocked':
    'The platform does not allow connections to {server}. An administrator can allow the address with GANTRY_OUTBOUND_ALLOW.',
  'kube-credentials':
    'The cluster {server} does not accept the stored credentials, or no longer does. An administrator has to replace them.',
  'kube-anonymous':
    'The cluster {server} ignores the credentials and treats the platform as an anonymous user. Use the token of a service account or a client certificate of this cluster. If there is a proxy or load balancer in front of the API server, it must pass on the Authorization header, and TLS for client certificates.',
  'kube-forbidden': 'The cluster does not allow this: {reason}',
  'kube-own-forbidden':
    'The stored credentials lack a permission in the cluster: {reason}. An administrator has to grant it.',
  'kube-missing': 'The cluster does not have this object, or no longer has it: {reason}',
  'kube-exists': 'The cluster already has this object: {reason}',
  'kube-conflict': 'Someone else changed this object in the cluster at the same time: {reason}. Reload and try again.',
  'kube-gone': 'The cluster no longer has the state that this list started from. Reload it.',
  'kube-invalid': 'The cluster rejected the object: {reason}',
  'kube-quota': 'The quota in the cluster is exceeded: {reason}',
  'kube-policy': 'The security policy of the cluster rejected this: {reason}',
  'kube-terminating': 'The namespace is being deleted, so nothing can be created in it. Wait until it is gone.',
  'kube-throttled': 'The cluster {server} is overloaded. Try again in {seconds} {seconds:second|seconds}.',
  'kube-busy': 'Too many requests to the cluster at once. Try again in a moment.',
  'kube-crowded':
    'Your team already has {most} logs and terminals of this cluster open, the maximum for a team. Close some that are no longer needed, then try again.',
  'kube-server': 'The cluster’s API server {server} failed with status {status}: {reason}',
  'kube-protocol': 'The server at {server} is not a Kubernetes API server. Check the address of the cluster.',
  'kube-another-cluster':
    'A different cluster than the one added answers at {server}, so nothing is written there. An administrator has to accept it on the page of the cluster, or correct the address.',
  'kube-unidentified':
    'It is not known yet which cluster answers at {server}, so nothing is written there. The cluster is identified within half a minute after it responds.',
  'kube-too-large': 'The cluster’s response is too large. Narrow the request.',
  'kube-unsupported-version': 'The cluster runs Kubernetes {version}. Supported versions are {from} to {to}.',

  // The agent that dials out of a cluster
  'tunnel-agent-away':
    'No agent of the cluster {server} has been connected to this server since {since}. Check that its manifest is applied in the cluster and that the deployment gantry-agent in the namespace gantry-system is running, and look at its log.',
  'tunnel-token-over':
    'This token of a cluster agent is not valid, or no longer valid. Create a new manifest for the cluster and apply it there.',
  'tunnel-other-way':
    'The cluster {name} is connected by its address, not by an agent. Change its connection method to the agent first.',
  'tunnel-file-missing': 'The agent program has not been built. Start the server with npm start, which builds it.',
  'tunnel-two-clusters':
    'The agent of another cluster connects with this cluster’s manifest and is rejected. Delete the namespace gantry-system in the wrong cluster. If the wrong cluster is the one connected now, create a new manifest and apply it in the right one.',

  // Screens
  'state-credentials': 'rejected',
  'clusters-ui-about-all': 'The Kubernetes clusters of the platform. A team only sees the clusters assigned to it.',
  'clusters-ui-about-team': 'The Kubernetes clusters that your team can use',
  'clusters-ui-search': 'Search by name',
  'clusters-ui-name': 'Name',
  'clusters-ui-description': 'Description',
  'clusters-ui-health': 'Health',
  'clusters-ui-version': 'Kubernetes version',
  'clusters-ui-nodes': 'Hosts',
  'clusters-ui-server': 'API server',
  'clusters-ui-id': 'ID',
  'clusters-ui-identity': 'Cluster identity (UID of kube-system)',
  'clusters-ui-another':
    'A different cluster than the one added answers here. If the cluster was rebuilt or this one is meant to replace it, accept it. Otherwise, correct the address under Edit.',
  'clusters-ui-accept': 'Accept this cluster',
  'clusters-ui-accept-title': 'Accept a different cluster as {name}?',
  'clusters-ui-accept-text':
    'The stacks of {name} are created again in the new cluster: their namespaces at once, their services when they are restarted. Everything already in it stays, and belongs to no team.',
  'clusters-ui-accept-ids': 'The cluster added was {before}; {now} answers now',
  'clusters-ui-accepted': '{name} is now the cluster that answers',
  'clusters-ui-since': 'Added',
  'clusters-ui-team': 'Team',
  'clusters-ui-teams': 'Teams',
  'clusters-ui-teams-none': 'no team',
  'clusters-ui-teams-every': 'every team',
  'clusters-ui-sandbox-all': 'The sandbox is available to every team',
  'clusters-ui-teams-none-memo': 'Assign the cluster to a team, so that the team can create stacks on it',
  'clusters-ui-teams-help': 'These teams can create stacks on this cluster. You can change this later.',
  'clusters-ui-none': 'No clusters',
  'clusters-ui-none-team-memo': 'Stacks run on clusters. An administrator adds them and assigns them to teams.',
  'clusters-ui-sandbox':
    'This cluster is simulated, for trying out the platform. Its pods start, write logs and respond in terminals, but no real program runs in them.',
  'clusters-ui-add': 'Add cluster',
  'clusters-ui-add-check': 'Check and add',
  'clusters-ui-kubeconfig': 'Kubeconfig',
  'clusters-ui-kubeconfig-help':
    'Paste it, or read it from a file. It must contain its certificates and tokens: commands and file paths are not accepted.',
  'clusters-ui-file': 'Read from file…',
  'clusters-ui-context': 'Context',
  'clusters-ui-context-help': 'The kubeconfig has {count} {count:context|contexts}, each a cluster with an account',
  'clusters-ui-edit-title': 'Edit the cluster {name}',
  'clusters-ui-delete-title': 'Delete the cluster {name}?',
  'clusters-ui-delete-team': 'the assignment to the team {name}, and its quota',
  'clusters-ui-delete-text': 'Only the record on the platform is removed. Nothing in the cluster is changed.',
  'clusters-ui-delete-agent-text':
    'Only the record on the platform is removed. The agent stays in the cluster, but its connections are rejected. Delete it there with kubectl delete -f agent.yaml.',
  'clusters-ui-quotas': 'Teams and quotas',
  'clusters-ui-quota-set': 'Set quota',
  'clusters-ui-quota-title': 'Quota of {team} on {cluster}',
  'clusters-ui-assign': 'Assign teams',
  'clusters-ui-assign-title': 'Teams that can use {name}',
  'clusters-ui-unassign': 'Unassign',
  'clusters-ui-unassign-title': 'Unassign {cluster} from {team}?',
  'clusters-ui-unassign-text':
    'The team can no longer create stacks on the cluster, and hosts dedicated to it become available to all teams. The cluster cannot be unassigned while the team still has stacks on it.',
  'clusters-ui-none-memo':
    'Stacks run on clusters. Add one: the connection and its permissions are checked before it is saved.',
  'clusters-ui-add-about':
    'The connection, the Kubernetes version and the permissions of the account are checked before the cluster is saved. Credentials are stored encrypted and never shown again.',
  'clusters-ui-delete-credentials': 'its address and credentials on the platform',
  'clusters-ui-capacity': 'Capacity',
  'clusters-ui-capacity-of': '{cpu} {cpu:core|cores} · {memory} GiB',
  'clusters-ui-capacity-about':
    'What the hosts offer to pods, and how much of it is in use. Up to {pods} {pods:pod|pods} can run.',
  'clusters-ui-capacity-unmeasured':
    'What the hosts offer to pods. Up to {pods} {pods:pod|pods} can run. Usage is unknown, because the cluster has no metrics server.',
  'clusters-ui-capacity-unknown':
    'What the hosts offered to pods when the cluster last responded. Up to {pods} {pods:pod|pods} could run.',
  'clusters-ui-usage': 'In use',
  'clusters-ui-tab-overview': 'Overview',
  'clusters-ui-tab-hosts': 'Hosts',
  'clusters-ui-tab-pods': 'Pods',
  'clusters-ui-tab-events': 'Events',
  'clusters-ui-tab-storage': 'Storage',
  'clusters-ui-tab-metrics': 'Metrics',
  'clusters-ui-leaving':
    'Everything that the platform created in this cluster is being deleted, then the cluster is removed from the list. No new stacks can be created on it.',
  'clusters-ui-way': 'Connection method',
  'clusters-ui-way-kubeconfig': 'Kubeconfig',
  'clusters-ui-way-kubeconfig-text': 'The file that kubectl uses, including its credentials',
  'clusters-ui-way-token': 'Token',
  'clusters-ui-way-token-text': 'The address of the API server and the token of a service account',
  'clusters-ui-way-agent': 'Agent',
  'clusters-ui-way-agent-text':
    'For clusters that this server cannot reach: an agent in the cluster connects to this server',
  'clusters-ui-way-keep': 'Keep as is',
  'clusters-ui-way-keep-text': 'Keep the current address and credentials',
  'clusters-ui-server-help': 'Must use https and be reachable from this server',
  'clusters-ui-token': 'Token',
  'clusters-ui-token-help': 'Of a service account with the permissions listed in the manual',
  'clusters-ui-ca': 'CA certificate',
  'clusters-ui-ca-help':
    'The CA that signed the API server’s certificate, in PEM format. If empty, the CAs trusted by this server are used.',
  'clusters-ui-agent-next':
    'Nothing is checked now. The page of the cluster then offers a manifest to apply in the cluster.',
  'clusters-ui-add-agent': 'Add',
  'clusters-ui-check': 'Check',
  'clusters-ui-check-fine': 'The cluster responds and accepts the credentials',
  'clusters-ui-check-found': 'Kubernetes {version}, hosts: {count}',
  'clusters-ui-check-version': 'Kubernetes {version} is not supported',
  'clusters-ui-check-missing':
    'Required permissions are missing, so the cluster cannot be added with these credentials',
  'clusters-ui-check-partial': 'The cluster can be used, but the features marked as missing will not work',
  'clusters-ui-rights': 'Permissions',
  'clusters-ui-rights-about': 'What the credentials allow in the cluster, and what each permission is for',
  'clusters-ui-right-allowed': 'allowed',
  'clusters-ui-right-missing': 'missing',
  'clusters-ui-right-extra': 'optional',
  'clusters-ui-agent': 'Cluster agent',
  'clusters-ui-agent-about':
    'The agent in the cluster connects to this server. Creating a new manifest invalidates the previous one.',
  'clusters-ui-agent-waits': 'No agent is connected. Create the manifest and apply it in the cluster.',
  'clusters-ui-agent-make': 'Create manifest',
  'clusters-ui-agent-apply': 'Save the manifest and apply it in the cluster. The agent then connects to {url}.',
  'clusters-ui-save': 'Save {file}',
  'clusters-ui-agent-once': 'The manifest contains the agent’s secret and is not shown again. Keep it safe.',
  'clusters-ui-empty': 'Delete completely',
  'clusters-ui-empty-title': 'Delete the cluster {name} and everything created in it?',
  'clusters-ui-empty-namespaces': 'namespaces in the cluster whose stacks no longer exist, with everything in them',
  'clusters-ui-empty-objects':
    'volumes, storage drivers, configuration and the agent that the platform created in the cluster',
  'clusters-ui-empty-text': 'Deletion runs in the background. It is not possible while stacks are on the cluster.',
  'clusters-ui-empty-warning': 'The contents of these namespaces and volumes cannot be restored',
  'clusters-ui-empty-begun': 'Everything that the platform created in the cluster is being deleted',
}
