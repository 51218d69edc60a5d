/* A submission for the package that is judged: the mean of numbers. */
#include <stdio.h>

int main(void)
{
	double sum = 0, x;
	int n;
	scanf("%d", &n);
	for (int i = 0; i < n; i++) {
		scanf("%lf", &x);
		sum += x;
	}
	printf("%.10g\n", sum / n);
	return 0;
}
