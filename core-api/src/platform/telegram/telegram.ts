import { z } from 'zod';
import { DeliveryError } from '../outbox/outbox-worker';
import { telegramMessages as messages } from './telegram.messages';

/** Telegram's limit for a message, in UTF-16 units, which JavaScript also counts. */
const MAX_TEXT_UNITS = 4096;
const DEADLINE_MS = 10_000;

const responseSchema = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});

/** The sending bot and the receiving chat. */
export interface TelegramChat {
  botToken: string;
  chatId: string;
}

/** Counts the pieces of a text that were already sent. */
export interface SendProgress {
  readonly piecesSent: number;
  /** Called after Telegram confirmed a piece. */
  recordSentPiece(): Promise<void>;
}

/** Splits a text into pieces of at most `MAX_TEXT_UNITS` units, never inside a surrogate pair. */
function splitIntoPieces(text: string): string[] {
  if (text.length <= MAX_TEXT_UNITS) return [text];
  const cutsSurrogatePair = /[\uD800-\uDBFF]$/.test(text.slice(0, MAX_TEXT_UNITS));
  const end = cutsSurrogatePair ? MAX_TEXT_UNITS - 1 : MAX_TEXT_UNITS;
  return [text.slice(0, end), ...splitIntoPieces(text.slice(end))];
}

/** Calls `sendMessage`. @throws DeliveryError if no JSON is received */
async function callSendMessage(apiUrl: string, { botToken, chatId }: TelegramChat, text: string) {
  try {
    // The `fetch` of Node 20 loses its abort signal if a garbage collection runs while a response is pending.
    const { fetch } = await import('undici');
    const response = await fetch(`${apiUrl.replace(/\/$/, '')}/bot${botToken}/sendMessage`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ chat_id: chatId, text, link_preview_options: { is_disabled: true } }),
      signal: AbortSignal.timeout(DEADLINE_MS),
      redirect: 'error',
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    if (error instanceof SyntaxError) throw new DeliveryError(messages.notUnderstood);
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    throw new DeliveryError(isTimeout ? messages.timedOut : messages.unreachable);
  }
}

async function sendPiece(apiUrl: string, chat: TelegramChat, text: string): Promise<void> {
  const { status, body } = await callSendMessage(apiUrl, chat, text);
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success) throw new DeliveryError(messages.notUnderstood);
  const { ok, description, parameters } = parsed.data;
  if (ok) return;
  // A group that becomes a supergroup gets another id.
  const newChatId = parameters?.migrate_to_chat_id;
  if (newChatId !== undefined && String(newChatId) !== chat.chatId)
    return sendPiece(apiUrl, { ...chat, chatId: String(newChatId) }, text);
  // The token is part of the URL, so the description may contain the token.
  throw new DeliveryError((description ?? `HTTP ${status}`).replaceAll(chat.botToken, '…'), {
    permanent: [400, 401, 403, 404].includes(status),
    retryAfterS: parameters?.retry_after,
  });
}

/** A client of `sendMessage`. It sets no `parse_mode`, so a visitor's text is never interpreted as markup. */
export class Telegram {
  constructor(private readonly apiUrl: string) {}

  /** Sends plain text, in several pieces if the text is long. @throws DeliveryError with Telegram's description */
  async send(chat: TelegramChat, text: string, progress?: SendProgress): Promise<void> {
    for (const piece of splitIntoPieces(text).slice(progress?.piecesSent)) {
      await sendPiece(this.apiUrl, chat, piece);
      await progress?.recordSentPiece();
    }
  }
}
