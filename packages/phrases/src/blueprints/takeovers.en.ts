/** Namespaces of a cluster that a team takes over with their workloads. */
export const en = {
  'takeovers-namespace-missing': 'The cluster has no namespace {namespace}. Choose another one.',
  'takeovers-namespace-taken':
    'The namespace {namespace} belongs to a stack, or once belonged to another team. Choose another one.',
  'takeovers-namespace-kept':
    'The namespace {namespace} is one of the cluster itself, or is being deleted. Choose another one.',
  'takeovers-namespace-empty':
    'No workload in the namespace {namespace} can become a service: no Deployment, StatefulSet, DaemonSet or CronJob runs there.',
  'takeovers-take-required': 'Choose at least one workload',
  'takeovers-workload-unknown': 'The namespace {namespace} has no workload {name} by now. Look at the preview again.',
  'takeovers-refused': '{name} cannot be taken over: {reason}',
  'takeovers-moving':
    'Pods of the {kind} {name} are being replaced, or it is paused. Wait until all its pods are of one version, and look again.',
  'takeovers-by-hand':
    'Pods of the {kind} {name} are replaced by hand or only in part. Set updateStrategy to RollingUpdate without a partition, and look again.',
  'takeovers-selector':
    'The {kind} {name} finds its pods by the label {label}, which the product sets itself. Leave it out, or deploy it anew as a service or from its chart.',
  'takeovers-scaled':
    'The HorizontalPodAutoscaler {scaler} scales the {kind} {name}. Delete it, and set autoscaling of the service afterwards.',
  'takeovers-budget':
    'The PodDisruptionBudget {budget} does not fit the {kind} {name}: a service has one of its own name. Delete it, and look again.',
  'takeovers-address-elsewhere':
    'The Service {name} leads to pods of something else, and a service has an address of its own name. Rename one of them.',
  'takeovers-address':
    'The Service {name} says {fault}, which a service has no place for. Make it a Service of another name, which stays as it is.',
  'takeovers-readiness': 'No readiness check is set: it gets requests once port {port} is open',
  'takeovers-stays-owned': '{kind} {name}: another object makes it, and makes it again',
  'takeovers-stays-address': 'Service {name}: stays, and goes on leading to the same pods',
  'takeovers-stays-ingress':
    'Ingress {name}: stays, but its controller reaches the pods only from a namespace of the team. Open a way in instead.',
  'takeovers-stays-job': 'Job {name}: runs to its end',
  'takeovers-stays-pod': 'Pod {name}: goes on, and nothing starts it again',
  'takeovers-ui-title': 'Take over a namespace of {cluster}',
  'takeovers-ui-title-of': 'Take over {namespace}',
  'takeovers-ui-about':
    'Hands a namespace of the cluster {cluster} to a team. Its workloads become the services of a stack, and no pod restarts.',
  'takeovers-ui-open': 'Take over a namespace',
  'takeovers-ui-namespaces': 'Namespaces that are no stack’s',
  'takeovers-ui-search': 'Search namespaces',
  'takeovers-ui-namespace': 'Namespace',
  'takeovers-ui-workloads': 'Workloads',
  'takeovers-ui-age': 'Created',
  'takeovers-ui-none': 'No namespace to take over',
  'takeovers-ui-none-memo': 'Every namespace of this cluster is a stack’s, or belongs to the cluster itself',
  'takeovers-ui-other': 'Choose another namespace',
  'takeovers-ui-team': 'Team',
  'takeovers-ui-stack-help': 'The name of the new stack. The namespace keeps its own.',
  'takeovers-ui-preview': 'Preview',
  'takeovers-ui-changed': 'Something was changed since the preview. Look at it again.',
  'takeovers-ui-becomes': 'What becomes a service',
  'takeovers-ui-take': 'Take {name} over',
  'takeovers-ui-pods': 'Pods: {count}',
  'takeovers-ui-wrong': 'Cannot be taken over',
  'takeovers-ui-lost': 'Has no place: kept until the service is changed for the first time, and then lost',
  'takeovers-ui-notes': 'Becomes otherwise with the first change',
  'takeovers-ui-document': 'Document of {name}',
  'takeovers-ui-stays': 'What stays as it is',
  'takeovers-ui-rules': 'What holds from then on',
  'takeovers-ui-rule-pods':
    'Pods run on as they are. The first change of a service, also of its number of instances, writes it by its document and replaces its pods once.',
  'takeovers-ui-rule-network': 'Pods are reached from namespaces of the team alone, and from outside by ways in.',
  'takeovers-ui-rule-security': 'New pods keep to Pod Security “baseline”, also those of what is left out.',
  'takeovers-ui-rule-delete': 'Deleting the stack deletes the namespace with everything in it, also what is left out.',
  'takeovers-ui-send': 'Take over (services: {count})',
}
