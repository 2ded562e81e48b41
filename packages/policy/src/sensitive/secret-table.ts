import { claudeFolder, piAgentFolder } from "@gong/spec"

/** Syntax of keys in a settings file. */
export type KeySyntax = "lines" | "json" | "xml"

export interface SecretRow {
  /** What an attacker could do with it. */
  readonly why: string
  /** Files or folders, relative to the home. */
  readonly paths?: readonly string[]
  /** Settings files that may contain keys, relative to the home; programs read them without keys too. */
  readonly settings?: Readonly<Record<string, KeySyntax>>
  /** Error messages of programs that lack it. */
  readonly errorPattern?: RegExp
}

/**
 * Locations of keys, by their name in the setting `sandbox.reveal`: reading them needs approval, and sandboxed commands do not
 * see them. The only such table.
 */
// oxfmt-ignore
export const secretTable: Readonly<Record<string, SecretRow>> = {
  ssh: { why: "logs in to other machines and to git servers", paths: [".ssh"], errorPattern: /Permission denied \([^)]*publickey|Host key verification failed|no such identity/i },
  gpg: { why: "signs and decrypts as the user", paths: [".gnupg"], errorPattern: /gpg: .*(?:No secret key|signing failed|no default secret key)/i },
  age: { why: "decrypts files", paths: [".config/age", ".age", ".config/sops"] },
  certificates: { why: "private keys of the user's certificates", paths: [".pki", ".config/step", ".step"] },
  passwords: { why: "passwords of any kind", paths: [".password-store", ".local/share/gopass", ".local/share/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".config/keepassxc", "Library/Keychains", ".config/op", ".op", ".config/1Password", ".config/Bitwarden", ".config/Bitwarden CLI", ".config/keybase", ".vault-token"], errorPattern: /\bnot (?:logged|signed) in\b.*\b(?:vault|op|bw)\b/i },
  git: { why: "pushes to repositories", paths: [".git-credentials", ".config/git/credentials"], errorPattern: /could not read (?:Username|Password) for|Authentication failed for 'https?:/i },
  forges: { why: "acts on GitHub, GitLab, Gitea as the user", paths: [".config/gh", ".config/glab-cli", ".config/hub", ".config/tea"], errorPattern: /gh auth login|GH_TOKEN|glab auth login/ },
  netrc: { why: "passwords of servers", paths: [".netrc", "_netrc", ".authinfo", ".authinfo.gpg"] },
  aws: { why: "acts on Amazon's cloud", paths: [".aws", ".boto", ".s3cfg", ".config/s3cmd"], errorPattern: /unable to locate credentials|NoCredentialProviders|no valid credential sources|could not load credentials/i },
  gcloud: { why: "acts on Google's cloud", paths: [".config/gcloud", ".gsutil"], errorPattern: /gcloud auth (?:application-default )?login|default credentials were not found|could not find default credentials/i },
  azure: { why: "acts on Microsoft's cloud", paths: [".azure"], errorPattern: /az login/ },
  clouds: { why: "acts on other clouds and hosting platforms", paths: [".oci", ".config/doctl", ".config/hcloud", ".config/scw", ".config/linode-cli", ".config/heroku", ".fly/config.yml", ".local/share/com.vercel.cli", ".config/netlify", ".netlify", ".wrangler", ".config/.wrangler", ".config/configstore/firebase-tools.json", ".railway/config.json", ".config/rclone", ".rclone.conf", ".databrickscfg", ".snowflake", ".kaggle", ".huggingface", ".cache/huggingface/token", ".cache/huggingface/stored_tokens"], errorPattern: /(?:doctl auth init|heroku login|fly(?:ctl)? auth login|vercel login|netlify login|wrangler login|firebase login|huggingface-cli login|hf auth login)/ },
  kube: { why: "acts on clusters", paths: [".kube"], errorPattern: /connection to the server localhost:8080 was refused|no configuration has been provided/i },
  docker: { why: "pulls and pushes private images", paths: [".config/containers/auth.json", ".config/helm/registry"], settings: { ".docker/config.json": "json" }, errorPattern: /pull access denied|no basic auth credentials|docker login|unauthorized: authentication required/i },
  terraform: { why: "changes cloud infrastructure", paths: [".terraform.d/credentials.tfrc.json", ".pulumi/credentials.json"], settings: { ".terraformrc": "lines" }, errorPattern: /terraform login|pulumi login/ },
  npm: { why: "publishes packages and reads private ones", settings: { ".npmrc": "lines", ".config/pnpm/rc": "lines", ".config/pnpm/auth.ini": "lines", ".yarnrc": "lines", ".yarnrc.yml": "lines" }, errorPattern: /ENEEDAUTH|\bE401\b|npm (?:error|ERR!).*\b40[13]\b|YN0041|ERR_PNPM_FETCH_40[134]|Invalid authentication \(as/ },
  python: { why: "publishes packages and reads private ones", paths: [".pypirc", ".config/pypoetry/auth.toml", ".local/share/uv/credentials"], settings: { ".config/pip/pip.conf": "lines", ".pip/pip.conf": "lines", ".config/uv/uv.toml": "lines", ".condarc": "lines" }, errorPattern: /40[13] (?:Client )?Error|User for \S+:|HTTP(?: status)?(?: client)? error.*40[13]|status code 401/i },
  rust: { why: "publishes packages and reads private ones", paths: [".cargo/credentials", ".cargo/credentials.toml"], settings: { ".cargo/config.toml": "lines", ".cargo/config": "lines" }, errorPattern: /no token found|cargo login/ },
  ruby: { why: "publishes packages and reads private ones", paths: [".gem/credentials", ".local/share/gem/credentials"], settings: { ".bundle/config": "lines" }, errorPattern: /(?:Authentication is required|Bad username or password) for|bundle config set/ },
  php: { why: "reads private packages", paths: [".config/composer/auth.json", ".composer/auth.json"], errorPattern: /could not be fully loaded.*40[13]|Could not authenticate against/i },
  java: { why: "publishes packages and reads private ones", paths: [".m2/settings-security.xml", ".ivy2/.credentials", ".sbt/.credentials"], settings: { ".m2/settings.xml": "xml", ".gradle/gradle.properties": "lines" }, errorPattern: /(?:status(?: code)?:? |Received status code )40[13]\b|Not authorized/ },
  dotnet: { why: "publishes packages and reads private ones", settings: { ".nuget/NuGet/NuGet.Config": "xml", ".config/NuGet/NuGet.Config": "xml" }, errorPattern: /NU1301.*401|\b401 \(Unauthorized\)/ },
  databases: { why: "reads and changes databases", paths: [".pgpass", ".my.cnf", ".mylogin.cnf", ".mongorc.js", ".config/redis"], errorPattern: /fe_sendauth: no password supplied|Access denied for user/i },
  mail: { why: "reads and sends mail as the user", paths: [".thunderbird", ".msmtprc", ".config/msmtp", ".fetchmailrc", ".mbsyncrc", ".config/isyncrc", ".config/neomutt", ".mutt", ".config/himalaya"] },
  browsers: { why: "sessions, cookies and saved passwords", paths: [".mozilla", ".config/mozilla", ".config/google-chrome", ".config/google-chrome-beta", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".librewolf", ".zen", ".var/app/org.mozilla.firefox", ".var/app/com.google.Chrome", ".var/app/org.chromium.Chromium", ".var/app/com.brave.Browser", "snap/firefox", "snap/chromium", "snap/brave", "Library/Cookies", "Library/Application Support/Firefox", "Library/Application Support/Google/Chrome"] },
  wallets: { why: "money", paths: [".bitcoin", ".litecoin", ".dogecoin", ".ethereum", ".electrum", ".bitmonero", ".config/solana", ".config/Exodus", ".config/Ledger Live", ".config/atomic", ".foundry/keystores", ".cardano", ".near-credentials", ".sui/sui_config"] },
  agents: { why: "spends money on models as the user", paths: [`${piAgentFolder}/auth.json`, `${claudeFolder}/.credentials.json`, ".claude.json", ".config/claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/mcp-oauth-tokens.json", ".gemini/.env", ".qwen/oauth_creds.json", ".qwen/.env", ".local/share/opencode/auth.json", ".local/share/opencode/mcp-auth.json", ".config/github-copilot", ".copilot", ".aider.conf.yml", ".aider", ".continue", ".config/Cursor", ".cursor/mcp.json", ".cursor/auth.json", ".config/cursor", ".config/goose/secrets.yaml", ".local/share/crush", ".local/share/amp/secrets.json", ".factory/auth.json", ".codeium", ".config/io.datasette.llm/keys.json"] },
  desktop: { why: "controls display, input and audio as the user", paths: [".Xauthority", ".ICEauthority", ".config/pulse/cookie"] },
  chats: { why: "reads and writes messages as the user", paths: [".config/Slack", ".config/discord", ".config/Signal", ".config/Element", ".local/share/TelegramDesktop"] },
  history: { why: "typed commands, which may contain keys", paths: [".bash_history", ".zsh_history", ".zhistory", ".sh_history", ".history", ".local/share/fish/fish_history", ".local/share/nushell", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history", ".mariadb_history", ".sqlite_history", ".rediscli_history", ".irb_history", ".lesshst", ".viminfo", ".local/share/atuin", ".local/state/bash/history", ".local/state/zsh/history"] },
}

/** Variables that name another location for a file of the home or a folder; several are separated by `:`. */
export const locationVariables: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
  GNUPGHOME: ".gnupg",
  SOPS_AGE_KEY_FILE: ".config/sops/age/keys.txt",
  PASSWORD_STORE_DIR: ".password-store",
  GH_CONFIG_DIR: ".config/gh",
  GLAB_CONFIG_DIR: ".config/glab-cli",
  NETRC: ".netrc",
  AWS_SHARED_CREDENTIALS_FILE: ".aws/credentials",
  AWS_CONFIG_FILE: ".aws/config",
  BOTO_CONFIG: ".boto",
  CLOUDSDK_CONFIG: ".config/gcloud",
  GOOGLE_APPLICATION_CREDENTIALS: ".config/gcloud/application_default_credentials.json",
  AZURE_CONFIG_DIR: ".azure",
  OCI_CLI_CONFIG_FILE: ".oci/config",
  RCLONE_CONFIG: ".config/rclone",
  KUBECONFIG: ".kube/config",
  DOCKER_CONFIG: ".docker",
  REGISTRY_AUTH_FILE: ".config/containers/auth.json",
  TF_CLI_CONFIG_FILE: ".terraformrc",
  NPM_CONFIG_USERCONFIG: ".npmrc",
  npm_config_userconfig: ".npmrc",
  PIP_CONFIG_FILE: ".config/pip/pip.conf",
  CARGO_HOME: ".cargo",
  BUNDLE_USER_CONFIG: ".bundle/config",
  COMPOSER_HOME: ".config/composer",
  GRADLE_USER_HOME: ".gradle",
  PGPASSFILE: ".pgpass",
  HISTFILE: ".bash_history",
  CLAUDE_CONFIG_DIR: claudeFolder,
  CODEX_HOME: ".codex",
  PI_CODING_AGENT_DIR: piAgentFolder,
  XAUTHORITY: ".Xauthority",
  COPILOT_HOME: ".copilot",
}
