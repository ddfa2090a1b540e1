import type { Shape } from "./shape.ts";

/** Commands of other systems' shells: what they are called on is what is meant. */
export const windowsShapes: readonly Shape[] = [
  {
    programs:
      "vssadmin wbadmin wmic reg schtasks sc net netsh bitsadmin cipher diskpart format rundll32 regsvr32 mshta cscript wscript bcdedit",
    words:
      /delete|shadowcopy|process +call|\/node:|\/(create|change)\b|(^| )(add|save|export|import|create|config|stop|disable)( |$)|\/(add|w)\b|\/transfer|\/addfile|https?:|javascript:|vbscript:|scrobj|comsvcs|^[a-z]:|advfirewall|portproxy/i,
    why: "changes another system's settings or disks",
    tag: "destroy",
    match: ["vssadmin delete shadows /all", "schtasks /create /tn x /tr y", "format c: /q"],
    notMatch: ["reg query HKLM", "sc query"],
  },
  {
    programs: "del erase rd rmdir deltree",
    words: /\/[sq]\b.*([a-z]:|\*|%)|([a-z]:).*\/[sq]\b/i,
    why: "deletes whole folders",
    tag: "destroy",
    match: ["rd /s /q C:\\\\", "del /s /q C:\\\\*"],
    notMatch: ["rmdir build"],
  },
  {
    programs: "rimraf del-cli trash trash-put gio-trash shx",
    words: /^(rm )?(-\S+ )*(\/|~|\.\.?\/?( |$)|\*( |$)|\/\*|\$HOME)/,
    why: "deletes whole folders",
    tag: "destroy",
    match: ["rimraf /", "trash ~"],
    notMatch: ["rimraf dist"],
  },
  {
    programs: "powershell pwsh",
    words: /(^| )-(e|en|enc|enco\w*)( |$)|-w(indowstyle)? +h(idden)?\b/i,
    why: "hides what it runs",
    tag: "hide",
    match: ["powershell -nop -w hidden -enc SQBFAFgA"],
    notMatch: ["pwsh -c Get-Date", "pwsh -File x.ps1"],
  },
  {
    programs: "Remove-Item ri",
    words: /-r(ecurse)?\b/i,
    why: "deletes whole folders",
    tag: "destroy",
    match: ["Remove-Item -Recurse -Force x"],
    notMatch: ["Remove-Item x"],
  },
  {
    programs:
      "iex Invoke-Expression Clear-EventLog Clear-History Set-MpPreference Add-MpPreference Set-ExecutionPolicy Format-Volume Clear-Disk Stop-Computer Restart-Computer Invoke-Mimikatz Disable-NetFirewallRule Set-NetFirewallProfile",
    words: /^/,
    why: "runs unknown code or takes a protection away",
    tag: "hide",
    match: ["iex x", "Clear-History"],
    notMatch: [],
  },
];
