/** The product screens. */
export const en = {
  'products-ui-about': 'What the team makes. A product runs as stacks, on one cluster or on many.',
  'products-ui-create': 'Create product',
  'products-ui-search': 'Search by name',
  'products-ui-name': 'Name',
  'products-ui-description': 'Description',
  'products-ui-stacks': 'Stacks',
  'products-ui-changed': 'Changed',
  'products-ui-none': 'No products yet',
  'products-ui-none-memo':
    'A product gathers the stacks that run it, for development, test and customers, in one place. Name it first.',
  'products-ui-none-chosen': 'none',
  'products-ui-edit-title': 'Edit the product {name}',
  'products-ui-delete-title': 'Delete the product {name}?',
  'products-ui-delete-text': 'It has no stacks. Pipelines and images stay as they are.',
  'products-ui-app-about': 'The stacks that run this product.',
  'products-ui-stack-create': 'Create stack',
} as const
