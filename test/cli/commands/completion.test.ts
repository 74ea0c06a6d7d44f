import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { program } from "../support/run-program.ts";

const { run } = program();
const words = async (shell: string, ...line: string[]) =>
  (await run(["completion", shell, "--", ...line])).stdout.split("\n").filter(Boolean);

describe("completion", () => {
  it.each<[line: string[], expected: string[]]>([
    [["mo"], ["models"]],
    [
      ["models", "f"],
      ["families", "family"],
    ],
    [["help", "models", "sh"], ["show"]],
    [
      ["fit", "acme/one", "--gp"],
      ["--gpu", "--gpus"],
    ],
    [
      ["fit", "--class", "gpu"],
      ["gpu-8gb", "gpu-24gb"],
    ],
    [["recommend", "a need", "--license", "p"], ["permissive"]],
    [["completion", "z"], ["zsh"]],
    [["import", "models"], []],
    [["nonsense", "x"], []],
  ])("of %j", async (line, expected) => {
    expect(await words("bash", ...line)).toEqual(expected);
  });

  it("of names makes no inventory where there is none", async () => {
    expect(await words("zsh", "models", "show", "whisper")).toEqual([]);
  });

  it("of names finds models by a part of the name, families and tasks", async () => {
    await run(["models", "families"]);
    expect(await words("zsh", "models", "show", "whisper-large-v3-tur")).toContain("openai/whisper-large-v3-turbo");
    expect(await words("bash", "fit", "openai/whisper-ti")).toEqual(["openai/whisper-tiny", "openai/whisper-tiny.en"]);
    // Bash would replace what was typed by the little that all names begin with.
    expect(await words("bash", "models", "show", "whisper")).toEqual([]);
    expect(await words("fish", "models", "family", "whis")).toEqual(["whisper"]);
    expect(await words("fish", "models", "task", "text-to-sp")).toEqual(["text-to-speech"]);
  });

  it("is a script that bash runs", async () => {
    const { stdout: script } = await run(["completion", "bash"]);
    // The program's answer, as the function gets it.
    const stub = `modelscout() { printf "%s " "\${@: -3}"; printf "\\ntwo words\\n"; }`;
    const line = `COMP_WORDS=(modelscout models "sh"); COMP_CWORD=2; _modelscout; printf "%s;" "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", `${stub}\n${script}\n${line}`]);
    expect(stdout).toBe("-- models sh ;two words;");
  });

  it("of an unknown shell is refused with the known ones", async () => {
    const { code, stderr } = await run(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain('SHELL: is "tcsh"; must be bash, zsh, fish');
  });
});
