package dev.idspring.autoconfigure.web;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.idspring.IdGenerators;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import dev.idspring.autoconfigure.persistence.IdFormats;

import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * Auto-configuration for ids in the requests of HTTP service clients. It provides the
 * {@link IdArgumentResolver}, and checks the clients at startup.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class)
@ConditionalOnClass({ HttpServiceProxyFactory.class, HandlerMethod.class, Advised.class })
@ConditionalOnBean(IdGenerators.class)
public final class IdsHttpServiceAutoConfiguration {

	/**
	 * This bean is lazy, so that it exists only if a client needs it. The check of the
	 * clients relies on this. The bean is a fallback, because the application may define
	 * another resolver and inject it as an {@code HttpServiceArgumentResolver}.
	 */
	@Bean
	@Lazy
	@Fallback
	@ConditionalOnMissingBean
	IdArgumentResolver idsArgumentResolver(ObjectProvider<IdGenerators> generators) {
		return new IdArgumentResolver(new IdFormats(generators::getObject));
	}

	/**
	 * Check the clients that exist when all eager singletons have been created. A client
	 * cannot be checked when it is created, because the generators may not exist yet.
	 */
	@Bean
	SmartInitializingSingleton idsClientsCheck(ObjectProvider<IdGenerators> generators,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			List<HandlerMethod> exchanges = new ArrayList<>();
			for (String name : beans.getSingletonNames()) {
				Object bean = beans.getSingleton(name);
				if (bean instanceof Advised proxy && isClient(proxy)) {
					addExchanges(proxy, exchanges);
				}
			}
			if (!exchanges.isEmpty()) {
				verify(exchanges, new IdBinding(generators), beans);
			}
		};
	}

	private static void verify(List<HandlerMethod> exchanges, IdBinding binding,
			ConfigurableListableBeanFactory beans) {
		binding.check(exchanges);
		if (Stream.of(beans.getBeanNamesForType(IdArgumentResolver.class, true, false))
			.noneMatch(beans::containsSingleton)) {
			binding.rejectUnresolved(exchanges);
		}
	}

	/**
	 * Return whether a proxy is an HTTP service client. The interfaces of the proxy do
	 * not determine this, because the proxy of a controller may implement the same
	 * interface as a client.
	 */
	private static boolean isClient(Advised proxy) {
		return Stream.of(proxy.getAdvisors())
			.anyMatch((advisor) -> advisor.getAdvice().getClass().getNestHost() == HttpServiceProxyFactory.class);
	}

	private static void addExchanges(Object client, List<HandlerMethod> exchanges) {
		for (Method method : MethodIntrospector.selectMethods(client.getClass(),
				(Method candidate) -> AnnotatedElementUtils.hasAnnotation(candidate, HttpExchange.class))) {
			exchanges.add(new HandlerMethod(client, method));
		}
	}

}
