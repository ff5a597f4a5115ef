package dev.idspring.worker;

/**
 * Makes a thread whose stack is nearly used up fail before a critical section rather than
 * in it. A critical section runs under a lock, or changes a queue of waiting threads. Why
 * the probe is needed, and why it works:
 * <ol>
 * <li>A StackOverflowError inside {@code lock()} or {@code unlock()} can leave the lock
 * held. A StackOverflowError during a change of the queue can leave the queue broken.
 * Nothing repairs the lock or the queue.</li>
 * <li>Apart from the caller's own code, a section nests fewer than {@link #FRAMES} calls,
 * and each of these calls needs less stack than a call of {@link #descend}.</li>
 * <li>Therefore, if the probe returns, a section that the same method enters next does
 * not overflow, apart from the cases in 4 and 5. If the probe overflows, nothing has
 * changed.</li>
 * <li>A section that runs the caller's own code may overflow in that code, while the lock
 * is held. By the time the section releases the lock, the stack that the probe verified
 * is free again. Therefore, the release does not overflow.</li>
 * <li>The first call of a lambda and the first use of a class may need more stack than a
 * compiled probe verifies. After an overflow, the lambda or the class can remain
 * unusable. Therefore, steps that a section must complete use no lambdas, or lambdas that
 * were created earlier.</li>
 * </ol>
 * In {@code StackOverflowTests}, without the probe, 1 of 60 overflowing threads left a
 * {@code ReentrantLock} locked on JDK 17, and 59 of 60 on JDK 25. With the probe, none
 * did, whether the code was interpreted, compiled by C1 only, or compiled by C1 and C2.
 */
final class StackProbe {

	/**
	 * The number of nested calls for which the probe verifies the stack. For locks, 60
	 * calls were enough in {@code StackOverflowTests}. The margin makes an overflow in
	 * the first call of a lambda or the first use of a class unlikely.
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
	 * Recurse {@code frames} times. Many parameters make each stack frame large, even in
	 * compiled code.
	 */
	private static long descend(int frames, long a, long b, long c, long d, long e, long f) {
		return (frames == 0) ? a : descend(frames - 1, b, c, d, e, f, a) + f;
	}

}
