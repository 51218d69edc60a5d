import asyncio
import sys


async def main():
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        await asyncio.sleep(int(sys.argv[1]) / 1000)
        print("done", flush=True)


asyncio.run(main())
