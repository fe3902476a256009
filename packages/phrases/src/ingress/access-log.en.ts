/** Who called a service from outside, by the log of the controller. */
export const en = {
  // Why there may be no requests
  'access-log-no-group':
    'This service opens ports of its own, and no controller logs what comes in by them. Use a group of the Gateway API or of Ingress to see requests.',
  'access-log-unknown':
    'The access log of {controller} is not read. Requests are shown where Traefik or ingress-nginx brings them in: ask your administrator for such a group.',
  'access-log-no-pods':
    'No running pod of {controller} is found in the cluster, so there is no log to read: it may run on hosts. Ask your administrator to run it in pods, with the name label of its chart.',
  'access-log-forbidden':
    'The cluster does not let Gantry read the log of {controller}. Ask your administrator to allow reading pods/log in its namespace.',
  'access-log-slow': 'The log of {controller} was not read in time. Try again.',
  'access-log-none-traefik':
    'Traefik has logged no request in the last hour. If there were any, its access log is off: ask your administrator to start it with --accesslog and --accesslog.format=json.',
  'access-log-none-nginx':
    'ingress-nginx has logged no request in the last hour. If there were any, its access log is off: ask your administrator to remove disable-access-log and access-log-path from its ConfigMap.',
  'access-log-nameless-traefik':
    'Traefik logs requests without the names of routers, so nobody can tell whose they are. Ask your administrator to set --accesslog.format=json and to keep RouterName and ServiceName.',
  'access-log-unanswered':
    'Traefik’s common format does not name the service that answered. Ask your administrator to set --accesslog.format=json.',
  'access-log-nameless-nginx':
    'ingress-nginx logs requests in a format of its own that is not read, so nobody can tell whose they are. Ask your administrator to remove log-format-upstream from its ConfigMap.',

  // Screens
  'access-log-ui': 'Requests',
  'access-log-ui-about': 'Since {since}, newest first. Values in queries are masked.',
  'access-log-ui-none': 'No requests',
  'access-log-ui-none-memo': 'The controller has logged none that match in the last hour.',
  'access-log-ui-search': 'Search by host, path, client or service',
  'access-log-ui-time': 'Time',
  'access-log-ui-request': 'Request',
  'access-log-ui-status': 'Status',
  'access-log-ui-duration': 'Duration',
  'access-log-ui-client': 'Client',
  'access-log-ui-service': 'Answered by',
}
