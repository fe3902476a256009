import type { en } from './en.ts'

export const zh = {
  'artifact-repository-password-again': '地址或用户已更改，请重新输入密码。已保存的密码不会发送给其他服务器。',
  'artifact-repository-changed': '在此期间，其他人已修改了制品仓库。请重新加载后再次修改。',
  'artifact-repository-silent': '制品仓库 {host} 没有响应。请检查其是否运行、地址是否正确，然后重试。',
  'artifact-repository-login': '制品仓库 {host} 拒绝了登录。请检查用户和密码；如果任何人都可读取，请将两者留空。',
  'artifact-repository-sealed':
    '无法解密制品仓库 {url} 的密码：GANTRY_SECRET_KEY 不是加密时使用的密钥。请管理员重新填写，或使用原密钥启动服务器。',

  // Screen
  'artifact-repository-ui-title': '制品仓库',
  'artifact-repository-ui-about':
    'Nexus、Artifactory 或其他软件包服务器。保存前会先测试。每次构建可通过 GANTRY_ARTIFACTS_URL、GANTRY_ARTIFACTS_USER 和 GANTRY_ARTIFACTS_PASSWORD 使用它；来自派生仓库的合并请求的构建不会获得登录信息。',
  'artifact-repository-ui-url': '仓库地址',
  'artifact-repository-ui-url-help': '留空表示没有',
  'artifact-repository-ui-user': '用户',
  'artifact-repository-ui-password': '密码或令牌',
} satisfies Record<keyof typeof en, string>
