def sum(a, b):
    print("this goes nowhere")
    return a + b
