import type { en } from './steps.en.ts'

export const zh = {
  'agents-script-failed': '脚本以退出码 {code} 结束，原因请查看日志',
  'agents-script-killed':
    '脚本中的某个命令被强制终止（退出码 {code}），通常是构建代理所在的机器内存不足。请减少该步骤的内存用量，或为该机器增加内存。',
  'agents-limit-memory':
    '步骤使用的内存超过了该构建代理对单个构建的上限 {limit}，已被终止。请减少内存用量（例如减少并行任务），或请构建代理的运维人员调高 GANTRY_AGENT_BUILD_MEMORY_MB。',
  'agents-limit-processes':
    '步骤启动的进程和线程超过了该构建代理对单个构建的上限 {limit}，已被终止。请减少进程数，或请构建代理的运维人员调高 GANTRY_AGENT_BUILD_PROCESSES。',
  'agents-limit-disk':
    '构建写入磁盘的数据超过了该构建代理对单个构建的上限 {limit}，步骤已被终止。请减少写入或保留的数据，或请构建代理的运维人员调高 GANTRY_AGENT_BUILD_DISK_MB。',
  'agents-step-timed-out': '步骤运行超过 {minutes} 分钟的时限，已被停止。请延长时限，或检查步骤在等待什么。',
  'agents-build-timed-out': '构建运行超过 {minutes} 分钟的时限，已被停止。请延长时限，或检查构建在等待什么。',
  'agents-stopped': '构建已被用户停止',
  'agents-step-lost': '步骤尚未完成就被中断：构建代理所在的机器已重启，或进程被终止。请重新启动构建。',
  'agents-workspace-gone':
    '构建代理上没有第 {attempt} 次尝试的工作区，而前面的阶段是在其中通过的。本次未运行任何步骤：下一次尝试将运行所有阶段。',
  'agents-storage-full': '构建代理的磁盘已满。请清理空间后重新启动构建。',
  'agents-server-storage-full': '服务器的存储空间已满。请联系管理员清理空间，然后重新启动构建。',
  'agents-server-refused': '服务器拒绝了该步骤发送的内容：{text}',
  'agents-log-too-long': '步骤的日志超出了允许的长度。请减少输出，或写入文件并保存为产物。',
  'agents-no-files': '工作区中没有与 {files} 匹配的文件。请检查匹配模式，并确认前面的步骤会生成这些文件。',
  'agents-too-many-files': '与 {files} 匹配的文件超过 {limit} 个。请缩小匹配范围，或先将它们打包成一个文件。',
  'agents-file-too-large': '{path} 的大小为 {size}，最多只能存储 {limit}。请减小文件，或将其发布到其他位置。',
  'agents-file-refused': '{path} 未能存储：{text}',
  'agents-cache-not-unpacked': '缓存的文件无法解压到工作区：{text}。请将该步骤放在写入相同路径的步骤之前，或更改其键。',
  'agents-file-changed': '{path} 在读取过程中发生了变化。请确保执行该步骤时没有程序仍在写入它。',
  'agents-report-invalid': '{path} 不是 JUnit 报告：{text}',
  'agents-coverage-invalid': '{path} 不是覆盖率报告：{text}',
  'agents-coverage-low': '覆盖了 {percent}% 的代码行，而步骤要求 {minimum}%。请补充测试，或在步骤中降低要求。',
  'agents-coverage-dropped':
    '覆盖了 {percent}% 的代码行，构建 #{number} 为 {before}%：步骤最多允许下降 {most} 个百分点。请为新代码补充测试，或在步骤中修改限制。',
  'agents-scan-invalid': '{path} 不是扫描报告：{text}',
  'agents-scan-refused':
    '发现的问题超出了步骤的允许范围：严重 {critical}，高危 {high}，中危 {medium}，低危 {low}。请查看构建的问题。',
  'agents-mail-secret': '邮件中会包含机密，因此没有发送。请从主题和正文中移除保密变量或含有机密的输出。',
  'agents-copy-from': '{image} 不是镜像名称。请写成 path:tag 或 path@sha256:… 的形式。',
  'agents-copy-missing': '{host} 中没有镜像 {image}。请检查路径以及标签或摘要。',
  'agents-tests-failed': '{total} 个测试中有 {failed} 个失败',
  'agents-no-repository': '流水线没有可检出的代码仓库。请在流水线的设置中填写，或删除该步骤。',
  'agents-address-refused':
    '步骤无法访问 {host}：它位于构建代理所在的机器或保留网段。构建代理的运维人员可通过 GANTRY_OUTBOUND_ALLOW 放行。',
  'agents-git-missing': '构建代理所在的机器未安装 git。请安装 git 2.37 或更高版本。',
  'agents-git-failed': 'git 无法检出 {url}：{text}',
  'agents-git-redirected': '{url} 会跳转到其他地址。请直接填写最终地址。',
  'agents-git-unreachable': '构建代理无法访问 {host}。请检查地址以及两者之间的网络。',
  'agents-git-untrusted': '构建代理不信任 {host} 的证书。请在构建代理上将 GANTRY_CA_FILE 设为签发该证书的 CA 证书。',
  'agents-commit-unknown': '代码仓库中没有提交 {commit}。它可能已被强制推送移除，请启动新的构建。',
  'agents-isolation-unavailable': '无法将该步骤与构建代理所在机器的其余部分隔离，因此没有运行：{why}',
  'agents-registry-unknown': '该步骤使用的镜像仓库已不存在。请在流水线中选择其他镜像仓库。',
  'agents-registry-wrong-password': '镜像仓库 {host} 拒绝了用户名或密码。请在镜像仓库的设置中检查。',
  'agents-registry-denied':
    '镜像仓库 {host} 不允许其用户对 {repository} 执行 {action}。请向该镜像仓库的管理员申请权限，或选择其他镜像库。',
  'agents-registry-unreachable': '构建代理无法访问镜像仓库 {host}：{text}。请检查地址以及两者之间的网络。',
  'agents-registry-untrusted':
    '构建代理不信任镜像仓库 {host} 的证书。请在构建代理上将 GANTRY_CA_FILE 设为签发该证书的 CA 证书，或将该镜像仓库标记为不安全。',
  'agents-registry-not-one': '{host} 上的服务不是镜像仓库。请检查地址。',
  'agents-registry-refused': '镜像仓库 {host} 拒绝了该镜像：{text}',
  'agents-registry-realm':
    '镜像仓库 {host} 要求到 {realm} 获取令牌。该地址既不属于镜像仓库本身，也未加密，因此没有向其发送密码。',
  'agents-registry-token':
    '镜像仓库 {host} 的令牌服务 {service} 没有签发令牌：{text}。请在镜像仓库的设置中检查用户名和密码，或联系令牌服务的管理员。',
  'agents-base-missing': '镜像仓库 {host} 中不存在基础镜像 {base}。请检查名称和标签，或先推送该镜像。',
  'agents-base-unusable': '基础镜像 {base} 无法使用：{text}',
  'agents-tag-invalid': '镜像标签 {tag} 无效。标签最多 128 个字符，只能包含字母、数字、点、连字符和下划线。',
  'agents-dockerfile-unknown': '该步骤的 Dockerfile 已不存在，请在流水线中另选一个',
  'agents-dockerfile-missing': '工作区中没有文件 {path}。请检查路径，以及检出或之前的步骤是否会提供该文件。',
  'agents-context-missing': '工作区中没有供 Dockerfile 复制文件的文件夹 {path}',
  'agents-engine-missing':
    '构建代理上既没有 buildah 或 podman，也没有步骤可用的 docker。请在其机器上安装 buildah（Debian：apt install buildah），或通过标签选择已安装的构建代理。',
  'agents-containers-missing':
    '构建代理接受此任务后失去了容器引擎。请查看其日志，待 podman 恢复可用后重新启动构建代理。',
  'agents-container-failed':
    '该步骤的容器没有启动：{why}。请检查镜像中是否有步骤所用的 shell，以及构建代理日志中有关引擎的内容。',
  'agents-service-failed': '服务 {service} 无法由 {image} 启动：{why}',
  'agents-image-missing': '此任务或其某个服务的构建镜像已不存在，请另选一个。',
  'agents-image-not-pulled':
    '构建代理无法拉取 {image}：{why}。请检查构建镜像的名称，以及构建代理所在机器是否已登录其镜像仓库。',
  'agents-service-ended': '服务 {service}（{image}）在步骤之前就结束了。其最后的输出在日志中；请检查它的变量。',
  'agents-service-silent': '服务 {service}（{image}）在 {seconds} 秒内没有监听端口 {port}。请检查端口，或不填写端口。',
  'agents-cluster-refused': '集群拒绝了此任务的 Job：{why}。管理员可以更改命名空间的策略或该代理的设置。',
  'agents-pod-image':
    '集群无法拉取 {image}：{why}。请检查构建镜像的名称，以及命名空间的默认服务账号是否有其镜像仓库的拉取凭据。',
  'agents-pod-evicted': '主机终止了任务的容器组：{why}。请重新启动构建；管理员可以提高任务的资源上限。',
  'agents-pod-deleted': '任务的容器组已被删除，或其主机（{node}）已不存在。请重新启动构建，或为任务设置重试。',
  'agents-pod-failed': '任务的容器组先于任务结束：{why}。请查看构建代理的日志，然后重新启动构建。',
  'agents-image-failed': '镜像构建失败（退出码 {code}）。日志中可见失败的指令。',
  'agents-image-invalid': '构建引擎没有留下可推送的镜像。日志中可见其过程。',
  'agents-workspace-link': '{path} 指向工作区之外，不会被读取',
  'agents-deploy-refused': '服务未被更改：{text}',
  'agents-defect': '步骤因意外错误结束：{message}。详情请查看构建代理的日志。',
  'agents-files-not-taken': '无法解压先前任务移交的文件：{text}',
  'agents-output-invalid': '步骤写入的输出不是 KEY=value 形式，或超过 4,096 个字符：{line}',
  'agents-outputs-too-large': '步骤写入的输出超出上限（最多 {limit}）。请减少输出，或改为移交文件。',
  'agents-scanner-missing': '构建代理的 PATH 中没有 sonar-scanner。请在那里安装，或让步骤运行您自己的命令。',
  'agents-scanner-failed': '扫描器以退出码 {code} 结束，原因见其日志。',
  'agents-no-analysis':
    '命令结束时没有产生分析。命令必须运行 SonarQube 的扫描器，例如 sonar-scanner、mvn sonar:sonar 或 gradle sonar。',
  'agents-terminal-step-over': '步骤已结束。请在步骤运行时打开终端。',
  'agents-terminal-step-waits': '步骤的容器尚未启动：正在拉取镜像，或其 Pod 正在等待主机。请在步骤开始输出日志后重试。',
  'agents-terminal-role':
    '集群不允许构建代理在其任务中打开终端：{why}。请重新应用该构建代理的清单：其 Role 现在包含 pods/exec。',
  'agents-terminal-step-ended': '步骤已结束，终端随之关闭。',
  'agents-terminal-workspace-gone':
    '构建代理上已没有该任务的工作区。它最多保留 {count} 个，保留 {hours} 小时；重试时会取走对应的工作区。请重新运行任务。',
  'agents-terminal-workspace-open': '已有人在该工作区中打开终端。请先关闭那个终端，或稍候：它最迟在 30 分钟后关闭。',
  'agents-terminal-workspace-taken': '任务的重试已取走该工作区。请在重试中打开终端。',
  'agents-terminal-many': '构建代理上已打开 {count} 个终端。请先关闭其中一个。',
  'agents-terminal-failed': '构建代理无法打开终端：{why}',
} satisfies Record<keyof typeof en, string>
