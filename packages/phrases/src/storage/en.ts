/** Volumes and storage drivers of clusters. */
export const en = {
  'storage-server-format': 'Enter a host name or an IP address, without a path',
  'storage-path-up': 'The path must not lead upwards: leave out “..”',
  'storage-access-pod': 'ReadWriteOncePod allows no other access mode beside it',
  'storage-host-path-admin':
    'Volumes in folders of hosts reach what belongs to the hosts, so that only administrators make them. Ask one, or use NFS',
  'storage-volume-exists': 'There is a volume named {name} already. Choose another name',
  'storage-volume-missing': 'There is no volume {name} in this cluster any more',
  'storage-volume-deleting': 'The volume {name} is being deleted already',
  'storage-volume-changed': 'The volume {name} was changed by somebody else meanwhile. Look at it again',
  'storage-volume-claimed':
    'The volume {name} is in use and cannot be deleted: it is claimed by {claim}. Delete the claim first',
  'storage-volume-is-pending':
    'The volume {name} is pending: the cluster is not done with it yet. Try again in a moment',
  'storage-volume-is-available': 'The volume {name} is available: anybody may claim it already, or delete it',
  'storage-volume-is-bound': 'The volume {name} is bound to {claim}. Delete the claim first',
  'storage-volume-is-released': 'The volume {name} is released: its claim {claim} is gone. Activate or reclaim it',
  'storage-volume-is-failed':
    'The volume {name} has failed: its driver could not delete it. Activate it, or delete it and what is on it by hand',
  'storage-driver-exists': 'There is a storage driver named {name} already. Choose another name',
  'storage-driver-missing': 'There is no storage driver {name} in this cluster any more',
  'storage-driver-in-use': 'Of the storage driver {name} there are volumes ({count}): {volumes}. Delete them first',
  'storage-driver-claimed': 'Claims ask for the storage driver {name} ({count}): {claims}. Delete them first',
  'storage-driver-default-claimed':
    'The storage driver {name} is the default one, and claims wait for it ({count}): {claims}. Make another one the default, or delete them first',
  'storage-driver-secret-admin':
    'The parameter {key} lets the driver read a secret of any namespace, so that only administrators set it',
} as const
