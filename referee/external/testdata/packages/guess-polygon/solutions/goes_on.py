while True:  # also when the interactor has ended
    print(0, flush=True)
