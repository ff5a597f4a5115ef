package dev.idspring.sample.overview;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

import dev.idspring.IdGenerator;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.stereotype.Component;

/**
 * Records all ids that are drawn from generators without scopes, for the demonstration
 * page. An application without such a page does not need this class.
 */
@Component
class IdRecorder implements BeanPostProcessor {

	private final Map<String, RecentIds> recent = new ConcurrentHashMap<>();

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof IdGenerator generator)) {
			return bean;
		}
		RecentIds recent = recent(generator.name());
		ProxyFactory proxy = new ProxyFactory(bean);
		proxy.addAdvice((MethodInterceptor) (call) -> {
			Object result = call.proceed();
			if (call.getMethod().getName().startsWith("next")) {
				// nextLongs(long[]) returns nothing, and fills the array instead
				recent.add(ids(generator, (result != null) ? result : call.getArguments()[0]).toArray());
			}
			return result;
		});
		return proxy.getProxy();
	}

	private static LongStream ids(IdGenerator generator, Object drawn) {
		if (drawn instanceof Collection<?> texts) {
			return texts.stream().flatMapToLong((text) -> ids(generator, text));
		}
		if (drawn instanceof String text) {
			return LongStream.of(generator.parse(text));
		}
		if (drawn instanceof UUID uuid) {
			return LongStream.of(generator.fromUuid(uuid));
		}
		return (drawn instanceof Long id) ? LongStream.of(id) : LongStream.of((long[]) drawn);
	}

	RecentIds recent(String name) {
		return this.recent.computeIfAbsent(name, (unknown) -> new RecentIds());
	}

}
