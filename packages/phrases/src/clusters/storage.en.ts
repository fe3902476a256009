/** Volumes and storage drivers of clusters. */
export const en = {
  // Refusals
  'storage-server-required': 'Enter the address of the storage server',
  'storage-path-root': 'Enter a path that begins with / and is not / itself',
  'storage-capacity': 'The capacity must be more than 0 and at most 1,000,000 GiB',
  'storage-access-modes': 'Choose at least one access mode',
  'storage-provisioner':
    'Enter the provisioner’s name as its software specifies it: letters, digits, dots, slashes and hyphens',
  'storage-server-format': 'Enter a host name or an IP address, without a path',
  'storage-path-up': 'The path must not contain “..”',
  'storage-access-pod': 'ReadWriteOncePod cannot be combined with other access modes',
  'storage-host-path-admin':
    'Only administrators can create volumes from host folders, because these volumes give access to the host’s own files. Ask an administrator, or use NFS.',
  'storage-volume-exists': 'A volume named {name} already exists. Choose another name.',
  'storage-ui-held-by-claim': 'Kept until its claim {claim} is gone ({finalizers})',
  'storage-volume-missing': 'The volume {name} no longer exists in this cluster',
  'storage-volume-deleting': 'The volume {name} is already being deleted',
  'storage-volume-changed': 'The volume {name} has just been changed by someone else. Reload it and check.',
  'storage-volume-claimed': 'The volume {name} is claimed by {claim} and cannot be deleted. Delete the claim first.',
  'storage-volume-is-pending': 'The volume {name} is still being processed by the cluster. Try again in a moment.',
  'storage-volume-is-available': 'The volume {name} is already available: it can be claimed or deleted',
  'storage-volume-is-bound': 'The volume {name} is bound to {claim}. Delete the claim first.',
  'storage-volume-is-released':
    'The volume {name} is released: its claim {claim} no longer exists. Activate or reclaim the volume.',
  'storage-volume-is-failed':
    'The volume {name} has failed: its driver could not delete it. Activate it, or delete the volume and its data manually.',
  'storage-driver-exists': 'A storage driver named {name} already exists. Choose another name.',
  'storage-driver-missing': 'The storage driver {name} no longer exists in this cluster',
  'storage-driver-in-use': 'The storage driver {name} still has volumes ({count}): {volumes}. Delete them first.',
  'storage-driver-claimed': 'Claims use the storage driver {name} ({count}): {claims}. Delete them first.',
  'storage-driver-default-claimed':
    'The storage driver {name} is the default, and claims are waiting for it ({count}): {claims}. Make another driver the default, or delete these claims first.',
  'storage-driver-secret-admin':
    'Only administrators can set the parameter {key}, because it lets the driver read the Secrets of any namespace',

  // Screens
  'storage-ui-volumes': 'Volumes',
  'storage-ui-volumes-about':
    'Storage that outlives pods. A team sees the volumes that its stacks claim, and the unclaimed ones.',
  'storage-ui-volume-search': 'Search by name, claim, driver or location',
  'storage-ui-volume-create': 'Create volume',
  'storage-ui-volumes-none': 'No volumes',
  'storage-ui-volumes-none-memo':
    'Volumes are created when a claim requests one from a driver, or manually from existing storage: NFS or a host folder',
  'storage-ui-name': 'Name',
  'storage-ui-name-help': 'Lowercase letters, digits, hyphens and dots',
  'storage-ui-state': 'State',
  'storage-ui-available': 'available',
  'storage-ui-released': 'released',
  'storage-ui-capacity': 'Capacity',
  'storage-ui-modes': 'Access modes',
  'storage-ui-mode-ReadWriteOnce': 'ReadWriteOnce: read and write for the pods of one host',
  'storage-ui-mode-ReadOnlyMany': 'ReadOnlyMany: read only for the pods of all hosts',
  'storage-ui-mode-ReadWriteMany': 'ReadWriteMany: read and write for the pods of all hosts',
  'storage-ui-mode-ReadWriteOncePod': 'ReadWriteOncePod: read and write for a single pod',
  'storage-ui-claim': 'Claimed by',
  'storage-ui-unused': 'not used by any pod',
  'storage-ui-used-by': 'used by {pods}',
  'storage-ui-driver': 'Driver',
  'storage-ui-volume-driver-help':
    'The volume goes to claims that name this driver. If empty, it goes to claims that do not name any.',
  'storage-ui-policy': 'When its claim is deleted',
  'storage-ui-retain': 'keep the volume',
  'storage-ui-delete': 'delete the volume',
  'storage-ui-created': 'Created',
  'storage-ui-source': 'Location',
  'storage-ui-source-nfs': 'NFS server',
  'storage-ui-source-hostPath': 'Folder on every host',
  'storage-ui-source-local': 'Folder on one host',
  'storage-ui-source-nfs-help': 'Every host of the cluster must be able to reach the server',
  'storage-ui-source-hostPath-help':
    'Each pod sees the folder of the host it runs on, so the contents differ between hosts. For administrators only.',
  'storage-ui-source-local-help': 'Pods that use the volume run on that host. For administrators only.',
  'storage-ui-server': 'Server',
  'storage-ui-host': 'Host',
  'storage-ui-path': 'Path',
  'storage-ui-activate': 'Activate',
  'storage-ui-activate-title': 'Activate the volume {name}?',
  'storage-ui-activate-text':
    'The volume can then be claimed again, and the next claim can read the data already on it. From then on, the volume is kept when its claim is deleted.',
  'storage-ui-reclaim': 'Reclaim',
  'storage-ui-reclaim-title': 'Reclaim the volume {name}?',
  'storage-ui-reclaim-warning':
    'The driver deletes the data on the volume, which cannot be undone. If the driver does not support deletion, the volume changes to the failed state and shows the reason.',
  'storage-ui-reclaim-failed': 'The volume {name} was not deleted: {message}',
  'storage-ui-goes-volume': 'the volume {name}',
  'storage-ui-goes-data': 'its data: up to {size} GiB at {source}',
  'storage-ui-remove-title': 'Delete the volume {name}?',
  'storage-ui-remove-text':
    'The cluster removes its record of the volume. The data written to it (up to {size} GiB) stays at {source}.',
  'storage-ui-drivers': 'Storage drivers',
  'storage-ui-drivers-about':
    'Storage classes: each driver creates volumes for the claims that name it. The default driver also serves claims that do not name any.',
  'storage-ui-drivers-none': 'No storage drivers',
  'storage-ui-drivers-none-memo': 'Without a driver, claims only get volumes that were created manually',
  'storage-ui-driver-create': 'Add driver',
  'storage-ui-default': 'Default driver',
  'storage-ui-default-set': 'Make default',
  'storage-ui-default-help': 'Replaces the current default driver',
  'storage-ui-make-default': 'Make default',
  'storage-ui-is-default': 'This is already the default driver',
  'storage-ui-provisioner': 'Provisioner',
  'storage-ui-provisioner-help':
    'The name that the provisioning software uses for itself. It must already be running in the cluster.',
  'storage-ui-binding': 'Volumes are bound',
  'storage-ui-binding-Immediate': 'immediately',
  'storage-ui-binding-WaitForFirstConsumer': 'when the first pod starts',
  'storage-ui-expandable': 'Volumes can be expanded',
  'storage-ui-yes': 'yes',
  'storage-ui-no': 'no',
  'storage-ui-parameters': 'Parameters',
  'storage-ui-parameters-help': 'Parameters for the provisioner: one key=value per line',
  'storage-ui-driver-remove-title': 'Delete the storage driver {name}?',
  'storage-ui-driver-remove-text':
    'The driver creates no more volumes. It cannot be deleted while it still has volumes, or claims that use it.',
  'storage-ui-driver-remove-default':
    'This is the default driver: claims that do not name a driver get no volume until another driver is the default',
  'storage-ui-goes-driver': 'the driver {name} with its parameters',
  'storage-ui-driver-has-volumes': 'The driver still has volumes: {count}',
  // Folders of hosts
  'host-folder-closed':
    'The folder {path} of the hosts is not open to the team on this cluster. Ask an administrator to open it, or choose another one.',
  'host-folder-read-only':
    'The folder {path} of the hosts is open for reading alone. Make the volume read-only, or ask an administrator.',
  'host-folder-open': 'The folder {path} is open to the team {team} already',
  'host-folder-nested':
    'The folder {path} is within {other}, or around it, which is open to the team {team}: a link in one could lead out of the other. Close {other} first, or choose another folder.',
  'host-folder-in-use':
    'Services of the team {team} have the folder {path} as a volume: {services}. Take the volume out of them first.',
  'host-folder-ui': 'Host folders',
  'host-folder-ui-about':
    'Folders of the hosts that services of a team may have as a volume. A pod sees that of the host on which it runs.',
  'host-folder-ui-path': 'Folder',
  'host-folder-ui-team': 'Team',
  'host-folder-ui-access': 'Access',
  'host-folder-ui-read-only': 'Read only',
  'host-folder-ui-writable': 'Read and write',
  'host-folder-ui-closing': 'Not quite closed: close it again',
  'host-folder-ui-services': 'Used by',
  'host-folder-ui-opened': 'Opened',
  'host-folder-ui-add': 'Open folder',
  'host-folder-ui-add-text': 'Whoever may write to a folder of a host may change what the host itself reads there.',
  'host-folder-ui-none': 'No folder of the hosts is open to a team',
  'host-folder-ui-none-memo': 'Most services need none: claims and empty volumes serve them better',
  'host-folder-ui-close': 'Close',
  'host-folder-ui-close-title': 'Close {path}?',
  'host-folder-ui-close-text': 'New services of the team {team} can no longer have it. What is in the folder stays.',
}
