/** Products, which the wire calls applications. */
export const en = {
  // Refusals
  'products-name-taken': 'The team already has a product named {name}. Choose another name.',
  'products-image-missing': 'This product has no picture',
  'products-image-format': 'This is not a JPEG or PNG picture of at most 25 megapixels. Choose another one.',
  'products-in-use':
    'The product {name} still has stacks ({count}). Delete them or move them to another product first.',

  // Screens
  'products-ui-about': 'The products of the team. A product runs as stacks on one or more clusters.',
  'products-ui-create': 'Create product',
  'products-ui-search': 'Search by name',
  'products-ui-name': 'Name',
  'products-ui-description': 'Description',
  'products-ui-stacks': 'Stacks',
  'products-ui-none': 'No products yet',
  'products-ui-none-memo':
    'A product brings together the stacks that run it, for example for development, testing and production. Start by giving it a name.',
  'products-ui-none-chosen': 'none',
  'products-ui-edit-title': 'Edit the product {name}',
  'products-ui-delete-title': 'Delete the product {name}?',
  'products-ui-delete-text': 'The product has no stacks. Pipelines and images are not affected.',
  'products-ui-app-about': 'The stacks that run this product',
  'products-ui-parts': 'Parts of the product',
  'products-ui-versions': 'Versions',
  'products-ui-delete-versions': '{count} {count:version|versions} with their blueprints',
  'products-ui-clone': 'Clone',
  'products-ui-clone-title': 'Clone the product {name}',
  'products-ui-clone-memo': 'The copy has its versions and its picture, and none of its stacks.',
  'products-ui-image': 'Choose a picture',
  'products-ui-image-title': 'Picture of {name}',
  'products-ui-image-memo': 'JPEG or PNG, up to 500 kB, cropped to the centre',
  'products-ui-image-size': 'The picture is larger than 500 kB. Choose a smaller one.',
  'products-ui-image-set': 'The picture is set',
  'products-ui-stack-create': 'Create stack',
}
