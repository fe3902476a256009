// Made by `npm run gen` from domains/*/routes.tsx. Do not edit.
export const paths = {
  'login': '/login',
  'register': '/register',
  'home': '/',
  'new-dashboard': '/teams/$team_id/dashboard',
  'info-basic': '/info/basic',
  'info-password': '/info/update-password',
} as const
