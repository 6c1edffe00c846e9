// Requests to the server of this page, with the key.

import * as key from "./key.js";
import { read, write } from "./json.js";

/** The server asks for a key, or does not know this one. */
export class Unauthorized extends Error {}

/** The server refused a request before there was a call. */
export class Refused extends Error {}

let number = 0;

/** The document, and what the page needs besides. */
export async function load(withKey = key.current()) {
  // One after the other, so that a wrong key is one refused request.
  const document = await get("/opentool/load", withKey);
  const data = await get("/page/data", withKey);
  return { document, data };
}

/** Calls a function. Its arguments are JSON text. The reply has `result`, or `error` with `code`, `message` and `pointer`. */
export async function call(name, argumentsText, signal) {
  number += 1;
  const body = request(name, argumentsText, number);
  const begin = performance.now();
  const response = await send("/opentool/call", { method: "POST", body, signal }, key.current());
  const text = await response.text();
  const took = performance.now() - begin;
  let reply;
  try {
    reply = read(text);
  } catch {
    throw new Refused(`the reply (${response.status}) is not JSON`);
  }
  return { reply, text, took, number };
}

/** The body of a call. */
export function request(name, argumentsText, id) {
  return `{"jsonrpc":"2.0","method":${write(name)},"params":${argumentsText},"id":"${id}"}`;
}

async function get(path, withKey) {
  const response = await send(path, {}, withKey);
  return read(await response.text());
}

async function send(path, options, withKey) {
  const headers = { "Content-Type": "application/json" };
  if (withKey) headers.Authorization = `Bearer ${withKey}`;
  const response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  if (response.status === 401) throw new Unauthorized("the server does not accept this key");
  if (response.ok || response.status === 400) return response;
  throw new Refused(await reason(response));
}

async function reason(response) {
  try {
    return read(await response.text()).error.message;
  } catch {
    return `the server answered with status ${response.status}`;
  }
}
