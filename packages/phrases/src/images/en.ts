/** Image registries. */
export const en = {
  'permission.image_registry_view': 'See image registries',
  'permission.image_registry_create': 'Create image registries',
  'permission.image_registry_edit': 'Change image registries',
  'permission.image_registry_delete': 'Delete image registries',
  'images-registry-shared': 'The registry {name} is shared by the platform. Only an administrator changes it',
  'images-registry-name-taken': 'There is a registry named {name} already. Choose another name',
  'images-registry-in-use-services': 'The registry {name} is used by the services {services}. Change them first',
  'images-registry-in-use': 'The registry {name} is used by the pipelines {pipelines}. Change them first',
} as const
