// Pass WebDriver BiDi between tests/browser/web_driver.py and a browser: a line for each message.
import { createInterface } from 'node:readline';
import WebSocket from 'ws';

const socket = new WebSocket(process.argv[2]);
socket.on('message', (message) => console.log(String(message)));
socket.on('close', () => process.exit());
socket.on('open', () => createInterface({ input: process.stdin }).on('line', (line) => socket.send(line)));
