package dev.idspring.worker;

/**
 * Makes a thread whose stack is nearly used up fail before a critical section, rather
 * than inside it:
 * <ol>
 * <li>A StackOverflowError inside {@code lock()} or {@code unlock()}, or while a thread
 * joins or leaves a queue of waiting threads, leaves the lock held or the queue broken.
 * Nothing repairs such a lock or queue.</li>
 * <li>Such a section nests fewer than {@link #FRAMES} calls, and each of them needs less
 * stack than a call of {@link #descend}.</li>
 * <li>So if the probe returns, the section that the same method calls next does not
 * overflow, apart from the cases below. If the probe overflows, nothing was changed.</li>
 * <li>A section that runs the caller's own code may overflow there. By then the lock is
 * held, and the stack that the probe has found is free again when the lock is released.
 * So the release does not overflow.</li>
 * <li>The first call of a lambda, and the first use of a class, may need more stack than
 * a compiled probe finds. If it overflows, the lambda or the class can stay unusable. So
 * the steps that a section must complete use loops instead of lambdas, or lambdas that
 * were created earlier.</li>
 * </ol>
 * Measured with {@code StackOverflowTests}: without the probe, 1 of 60 overflowing
 * threads left a {@code ReentrantLock} locked on JDK 17, and 59 of 60 on JDK 25. With the
 * probe, none did, whether the code was interpreted, compiled by C1 only, or compiled by
 * C1 and C2.
 */
final class StackProbe {

	/**
	 * The number of nested calls to verify. A lock needs 60. With more, an overflow in
	 * the first call of a lambda or the first use of a class is unlikely, too.
	 */
	private static final int FRAMES = 250;

	private StackProbe() {
	}

	/**
	 * Verify that enough stack is left for a critical section.
	 * @throws StackOverflowError if it is not
	 */
	static void verify() {
		descend(FRAMES, 1, 2, 3, 4, 5, 6);
	}

	/**
	 * Call this method recursively. The many parameters make each stack frame large, even
	 * in compiled code.
	 */
	private static long descend(int frames, long a, long b, long c, long d, long e, long f) {
		return (frames == 0) ? a : descend(frames - 1, b, c, d, e, f, a) + f;
	}

}
