import type { en } from './git.en.ts'

export const zh = {
  'git-missing': '本服务器未安装 git。请安装 git 2.37 或更高版本，所有代码仓库（包括示例的仓库）都需要它。',
  'git-too-old': '本服务器的 git {version} 版本过旧。请安装 git {needed} 或更高版本。',
  'git-url-invalid':
    '这不是有效的 git 仓库地址。地址形如 https://host/path/repository.git 或 git@host:path/repository.git。',
  'git-url-credentials': '地址中不能包含用户名或密码。请在相应的输入框中填写。',
  'git-not-found': '{url} 处没有代码仓库，或当前凭据无权访问。请检查地址。',
  'git-wrong-password': '{host} 拒绝了用户名或密码。请检查后重试。许多代码托管平台要求用访问令牌代替密码。',
  'git-password-needed': '{host} 要求提供用户名和密码。该代码仓库是私有的，或者不存在。',
  'git-forbidden': '{host} 不允许该用户读取此代码仓库。请向其所有者申请权限。',
  'git-no-repository': '{url} 处没有 git 仓库。请使用代码托管平台提供的 HTTP 克隆地址。',
  'git-ssh-missing': '运行 git 的机器未安装 ssh。请在该机器上安装 OpenSSH 客户端，或改用该代码仓库的 HTTPS 地址。',
  'git-key-needed': '{host} 要求提供私钥。请填写其公钥已登记在该主机上的私钥。',
  'git-key-refused': '{host} 拒绝了该私钥。请将对应的公钥添加到该主机的代码仓库或账号，并检查地址中的用户。',
  'git-key-invalid': 'ssh 无法读取该私钥。请填写 ssh-keygen 生成的完整文件，且不带口令。',
  'git-host-key-unknown': '尚不知道 {host} 的主机密钥。请先检查连接，并将指纹与该主机公布的指纹核对。',
  'git-host-key-changed':
    '{host} 的主机密钥与固定的密钥不一致，连接可能被他人截获。若该主机确已更换密钥，请清除固定的密钥，重新检查连接并核对指纹。',
  'git-moved': '{url} 会跳转到其他地址。请直接填写最终地址。',
  'git-server-error': '{host} 出现内部错误。请稍后重试，或联系其管理员。',
  'git-too-many-refs': '该代码仓库的分支和标签过多，无法列出',
  'git-failed': 'git 无法读取 {url}。具体原因请查看服务器日志。',
  'git-branch-invalid': '分支或标签名称无效',
  'git-branch-unknown': '代码仓库中没有名为 {branch} 的分支或标签。请选择已有的分支或标签，或先推送它。',
  'pipelines-ui-private-key': '私钥',
  'pipelines-ui-private-key-help':
    '不带口令的私钥，其公钥已登记在该主机上，最好仅用于此代码仓库。加密保存，之后不再显示。',
  'pipelines-ui-private-key-kept': '只要代码仓库的主机不变，就沿用已保存的私钥',
  'pipelines-ui-known-hosts': '主机密钥',
  'pipelines-ui-known-hosts-help': '检查连接后自动填入。请将其指纹与该主机公布的指纹核对：构建不信任其他密钥。',
  'pipelines-ui-host-key-met': '主机密钥 {type}，指纹',
  'git-empty': '该代码仓库还没有任何提交。请先推送一个分支。',
} satisfies Record<keyof typeof en, string>
