/** What a cluster, or a kubeconfig, can refuse. `{server}` is the host and port of the cluster's API server. */
export const en = {
  'kube-config-too-large': 'The kubeconfig is larger than {limit}. Paste only the context that is wanted.',
  'kube-config-too-long': 'The kubeconfig has too many entries to be read here. Paste only the context that is wanted.',
  'kube-config-not-yaml': 'The kubeconfig is no valid YAML (line {line}): {reason}',
  'kube-config-shape': 'This is no kubeconfig: “{field}” is missing or has the wrong form.',
  'kube-config-no-context': 'The kubeconfig has no context. Create one with “kubectl config set-context”.',
  'kube-config-choose-context': 'The kubeconfig has several contexts. Choose one: {names}',
  'kube-config-unknown-context': 'The kubeconfig has no context “{name}”. It has: {names}',
  'kube-config-dangling': 'The context “{context}” names the {thing} “{name}”, which the kubeconfig does not have.',
  'kube-config-server-invalid':
    '“{server}” is no address of an API server. It should look like https://cluster.example.com:6443',
  'kube-config-server-plain':
    'The API server {server} would be reached without encryption, and credentials would travel in the clear. Use its https address.',
  'kube-config-server-name':
    'The kubeconfig’s tls-server-name is an IP address ({name}). It should be a host name of the server’s certificate; leave it out where the certificate names the address itself.',
  'kube-config-exec':
    'The kubeconfig runs a program (“{command}”) to get its credentials, which is not allowed on a server. Create a service account and use its token.',
  'kube-config-auth-provider':
    'The kubeconfig uses the sign-in plug-in “{name}”, which is not supported. Create a service account and use its token.',
  'kube-config-file':
    'The kubeconfig points to a file (“{field}”) that only exists where it was written. Export it with “kubectl config view --raw --flatten”.',
  'kube-config-insecure':
    'The kubeconfig switches off the check of the server’s certificate (insecure-skip-tls-verify). Give the cluster’s CA in certificate-authority-data instead.',
  'kube-config-proxy':
    'The kubeconfig names a proxy (proxy-url), which is not supported. Outgoing proxies are set by the administrator.',
  'kube-config-impersonation':
    'The kubeconfig acts as another user (“as”), which is not supported. Use credentials of that user.',
  'kube-config-no-credentials':
    'The user “{name}” of the kubeconfig has no credentials. A token, a user name with password, or a client certificate with key is needed.',
  'kube-config-token-invalid':
    'The token has characters that a token cannot have. Paste it again, without line breaks.',
  'kube-config-basic-invalid': 'The user name must not contain a colon.',
  'kube-config-ca-invalid':
    'The CA certificate (certificate-authority-data) cannot be read: it should be PEM, encoded as base64.',
  'kube-config-certificate-invalid':
    'The client certificate or its key cannot be read: both should be PEM, encoded as base64, the key without a password.',
  'kube-config-key-mismatch': 'The client certificate and its key do not belong together.',
  'kube-config-certificate-expired': 'The client certificate is valid only from {from} to {to}. Create a new one.',
  'kube-config-certificate-weak':
    'The client certificate cannot be used for TLS: {reason}. Create a new one with a stronger key: RSA of at least 2048 bits, or ECDSA, signed with SHA-256.',

  'kube-refused':
    'The cluster’s API server {server} cannot be reached: the connection is refused. Check that it runs and that no firewall is in between.',
  'kube-reset':
    'The cluster’s API server {server} broke the connection off. Try again; if it stays, look at the cluster’s control plane.',
  'kube-timeout':
    'The cluster’s API server {server} did not answer in time. Try again; if it stays, look at its load and at the network.',
  'kube-dns': 'The name of the cluster’s API server {server} cannot be resolved. Check the address of the environment.',
  'kube-tls':
    'The certificate of the cluster’s API server {server} is not trusted: {reason}. Give the cluster’s CA, or the right server name, in the environment’s kubeconfig.',
  'kube-blocked':
    'The address {server} must not be reached from here. An administrator can allow it (GANTRY_OUTBOUND_ALLOW).',
  'kube-credentials':
    'The cluster {server} does not accept the environment’s credentials (any more). An administrator has to replace them.',
  'kube-forbidden': 'The cluster does not allow this: {reason}',
  'kube-own-forbidden':
    'The environment’s credentials lack a right in the cluster: {reason}. An administrator has to grant it.',
  'kube-missing': 'This is not in the cluster (any more): {reason}',
  'kube-exists': 'This is in the cluster already: {reason}',
  'kube-conflict': 'Someone else changed this in the cluster at the same time. Reload and try again. ({reason})',
  'kube-gone': 'The cluster no longer has the state that the list began with. Load it again.',
  'kube-invalid': 'The cluster refuses the object: {reason}',
  'kube-quota': 'The quota in the cluster is too small: {reason}',
  'kube-policy': 'The cluster’s security rules refuse this: {reason}',
  'kube-terminating': 'The namespace is being deleted; nothing can be created in it. Wait until it is gone.',
  'kube-throttled': 'The cluster {server} is overloaded and asks to wait {seconds} s. Try again then.',
  'kube-busy': 'Too much is asked of the cluster at once. Try again in a moment.',
  'kube-crowded':
    'Your team has {most} logs and terminals of this cluster open, as many as a team may have at once. Close some that nobody looks at, then open it again.',
  'kube-server': 'The cluster’s API server {server} failed with status {status}: {reason}',
  'kube-protocol': 'What answers at {server} is no Kubernetes API server. Check the address of the environment.',
  'kube-too-large': 'The cluster’s answer is larger than is read here. Narrow the request.',
  'kube-unsupported-version': 'The cluster runs Kubernetes {version}. Supported are {from} to {to}.',
} as const
